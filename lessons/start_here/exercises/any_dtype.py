"""Exercises on tensors whose prompts name no dtype: whole numbers are as right as floats."""

import torch

from course_utils.checks.exercise import ValueExercise


class AnyDtypeExercise(ValueExercise):
    """An exercise whose answer is a tensor of any dtype."""

    def observe(self, answer):
        """Return a tensor as float32, so that its numbers alone are compared; return any other answer as it is."""
        return answer.float() if torch.is_tensor(answer) else answer
