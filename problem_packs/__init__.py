"""Packs that come with kernelbot."""
