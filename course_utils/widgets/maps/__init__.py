"""Heatmaps of weights and a panel of heads, which HeadsView, AttentionLab and MaskPainter share."""
