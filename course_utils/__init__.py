"""The attention course: reference code, figures, data and models used by its notebooks."""
