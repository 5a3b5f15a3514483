"""stub"""


def told(names, wrong, inputs):
    return None
