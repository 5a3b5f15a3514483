"""Models built on course_utils.attention: two published ones, a tiny one to train, and tools for them."""
