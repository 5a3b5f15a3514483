"""All is said in pyproject.toml; this lets `pip install --editable` bring the settings for Jupyter, as a wheel does."""

from setuptools import Distribution, setup

# An editable install asks whether there are data files by another name than the one they have, and leaves them out.
Distribution.has_data = Distribution.has_data_files

setup()
