"""Measure speeds on this machine, for `make bench`: each module prints the figures that its docstring names."""
