"""A language model as a judge, asked over HTTP: prompts, the server, kept answers, the metric."""
