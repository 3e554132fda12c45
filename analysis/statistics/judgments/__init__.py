"""What judges prefer: counted pairs, scores and ranks of systems, agreement among judges."""
