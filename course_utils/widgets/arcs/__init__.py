"""Words with arcs between them, and the panel that shows how the weight of an arc is computed."""
