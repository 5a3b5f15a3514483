"""Read, run, check and copy the course's notebooks. The name `notebook` belongs to a package of Jupyter."""
