"""What people see: pure functions from the engine's answers to messages, within Discord's limits."""
