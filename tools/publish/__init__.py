"""The parts of tools/slides.py: what a slide shows, the live views, the pages, the PDF."""
