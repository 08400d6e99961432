"""Features, one folder each: thin cogs that ask the engine and show its answers."""
