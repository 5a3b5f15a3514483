"""Models built on course_utils.attention: a published encoder, a tiny transformer to train, and tools for both."""
