"""Frozen, typed data that crosses borders: no I/O, no torch, no rules."""
