"""Two models built on the attention of the course: a real encoder, and a tiny transformer that learns on the page."""
