"""Quiz: the questions at the end of a notebook."""
