"""The course's figures: tensors and labels in, a matplotlib Figure out, with a caption that serves as its alt text."""

from course_utils.plots.charts import attention_bars, curves, mixture, vectors
from course_utils.plots.common import SCORES_MAP, WEIGHTS_MAP
from course_utils.plots.diagrams import diagram, path
from course_utils.plots.heatmaps import attention_heatmap, scores_and_weights

__all__ = [
    "SCORES_MAP",
    "WEIGHTS_MAP",
    "attention_bars",
    "attention_heatmap",
    "curves",
    "diagram",
    "mixture",
    "path",
    "scores_and_weights",
    "vectors",
]
