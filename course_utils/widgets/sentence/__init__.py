"""SentenceView: a sentence with arcs from a word to those that it looks at."""
