"""RotaryClock: a query and a key that turn with their places."""
