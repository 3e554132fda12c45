"""A language model as a judge, requested over HTTP: prompts, server, stored answers and metric."""
