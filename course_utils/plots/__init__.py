"""Functions that draw the figures of the course.

Each takes tensors and labels, and returns a matplotlib Figure, whose caption serves as its alt text.
"""

from course_utils.plots.charts import attention_bars, heads_bars, histograms, mixture, patches, vectors
from course_utils.plots.diagrams import course_path, diagram, induction_plan, path, residual_path, translation_path
from course_utils.plots.flow import flow
from course_utils.plots.heatmaps import attention_heatmap, mask_panels, padded_heads, scores_and_weights
from course_utils.plots.lines import curves, growth, heads_over_steps
from course_utils.plots.maps import change_map, heads_map, places_map, token_vectors
from course_utils.plots.reshape import merge_paths, split_paths

__all__ = [
    "attention_bars", "attention_heatmap", "change_map", "course_path", "curves", "diagram", "flow", "growth",
    "heads_bars", "heads_map", "heads_over_steps", "histograms", "induction_plan", "mask_panels", "merge_paths",
    "mixture", "padded_heads", "patches", "path", "places_map", "residual_path", "scores_and_weights", "split_paths",
    "token_vectors", "translation_path", "vectors",
]  # fmt: skip
