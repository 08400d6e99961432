"""The nouns that plugins bring: one abstract class per file, whose docstring is the tutorial."""
