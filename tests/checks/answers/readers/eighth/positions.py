# %% wrong left_padded_places: - "`max(is_token.cumsum(-1) - 1, 0)` stops: Python's `max` comp"
def my_left_padded_places(is_token):
    return max(is_token.cumsum(-1) - 1, 0)
