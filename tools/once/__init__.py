"""Make the files that are stored in the repository: data sets, a reference for tests, and the README's picture."""
