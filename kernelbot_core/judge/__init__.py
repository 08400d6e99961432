"""The judge: one pytest session per job. It holds seed, inputs, reference, clock and verdict."""
