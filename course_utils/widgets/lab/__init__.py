"""AttentionLab: controls for a function that returns attention."""
