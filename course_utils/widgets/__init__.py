"""Interactive widgets ("views") of attention, which run in the browser.

They need no network, and in an exported page no kernel.
"""

from course_utils.widgets.heads.heads import HeadsView, StepScrubber
from course_utils.widgets.lab.lab import AttentionLab
from course_utils.widgets.mask.mask import MaskPainter
from course_utils.widgets.predict.predict import Predict
from course_utils.widgets.quiz.quiz import Quiz
from course_utils.widgets.rotary.rotary import RotaryClock
from course_utils.widgets.scaling.scaling import ScalingLab
from course_utils.widgets.sentence.sentence import SentenceView
from course_utils.widgets.shapes.shapes import ShapeTracer
from course_utils.widgets.writer.writer import Writer

__all__ = [
    "AttentionLab", "HeadsView", "MaskPainter", "Predict", "Quiz", "RotaryClock", "ScalingLab", "SentenceView",
    "ShapeTracer", "StepScrubber", "Writer",
]  # fmt: skip
