"""Predict: a question that the reader answers before the outcome is shown."""
