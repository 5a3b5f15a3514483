"""Writer: a text that grows as a language model writes it."""
