"""kill -9 at a random moment of a real job, and what is left afterwards."""
