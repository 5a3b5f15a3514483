"""The exercises of the course: a folder for each notebook, a file for each exercise, named as in `checks.<name>`."""
