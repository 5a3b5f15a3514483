"""Turn notebooks into slide decks, web pages and handouts, for tools/slides.py and tools/web_edition.py."""
