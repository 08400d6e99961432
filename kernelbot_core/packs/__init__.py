"""Problem packs: read, find, import, check."""
