"""Interactive widgets ("views") of attention, which run in the browser.

They need no network, and in an exported page no kernel.
"""

from course_utils.widgets.heads import HeadsView, StepScrubber
from course_utils.widgets.lab import AttentionLab
from course_utils.widgets.mask import MaskPainter
from course_utils.widgets.predict import Predict
from course_utils.widgets.quiz import Quiz
from course_utils.widgets.rotary import RotaryClock
from course_utils.widgets.scaling import ScalingLab
from course_utils.widgets.sentence import SentenceView
from course_utils.widgets.shapes import ShapeTracer
from course_utils.widgets.writer import Writer

__all__ = [
    "AttentionLab", "HeadsView", "MaskPainter", "Predict", "Quiz", "RotaryClock", "ScalingLab", "SentenceView",
    "ShapeTracer", "StepScrubber", "Writer",
]  # fmt: skip
