"""The pytest11 door."""
