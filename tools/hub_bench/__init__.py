"""Measure what a class takes on a real JupyterHub, with simulated students, for `make bench-hub`."""
