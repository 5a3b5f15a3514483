"""Turn notebooks into slide decks, web pages and handouts, for tools/editions.py."""
