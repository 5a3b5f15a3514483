"""ScalingLab: scores and weights, with and without scaling."""
