"""MaskPainter: the weights under a mask that the reader paints."""
