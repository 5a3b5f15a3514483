"""HeadsView and StepScrubber: the attention weights of all heads."""
