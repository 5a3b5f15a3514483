"""Translate notebooks: split their cells into units, keep catalogues of these, and put translations in their place."""
