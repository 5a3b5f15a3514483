"""Read the attention weights that a model of Hugging Face's transformers returns: a tuple, a tensor for each layer."""

KINDS = ("attentions", "encoder_attentions", "decoder_attentions", "cross_attentions")
# What is wrong, and what to give instead.
MISSING = (
    "{name} must be weights, got {given}. A model of transformers returns them if it is loaded with "
    'attn_implementation="eager" and called with output_attentions=True; cross_attentions, only if it has a decoder '
    "that reads an encoder."
)
AMONG_OTHERS = "{name} must be weights, got all outputs of a model ({given}): give {part} alone."
GENERATED = (
    "{name} must be of one text, got a tuple of layers for each token, as generate() returns them: give one of these, "
    "or call the model on the whole text: model(ids, output_attentions=True).attentions."
)
INCOMPLETE = (
    "{name} must have weights in each layer, got None for {given}, as from a model in which some layers have no "
    "attention. Leave those out: [layer for layer in outputs.attentions if layer is not None]."
)
UNEQUAL = (
    "{name} must have layers of one shape, got {first} and {other}: give those of one shape, or one layer, such as "
    "outputs.attentions[0]."
)
SEVERAL = (
    "{name} must be of one sample, got layers of shape {first}: give the first, [layer[:1] for layer in "
    "outputs.attentions], or another, or one layer, such as outputs.attentions[0]."
)


def of_one_sample(weights, name):
    """Return the weights of a model, a tuple of layers, without the axis of the batch; any other value as it is.

    weights: a tuple of tensors (1, num_heads, num_queries, num_keys), which become (num_heads, num_queries, num_keys).
    name: that of the argument, for the error message. Errors: ValueError that says what to give instead, for None, an
    empty tuple, all outputs of a model, those of generate(), several samples, and layers that are None or of different
    shapes.
    """
    if problem := _problem(weights):
        template, places = problem
        raise ValueError(template.format(name=name, **places))
    is_of_model = isinstance(weights, list | tuple) and all(len(_shape(layer)) == 4 for layer in weights)
    return [layer[0] for layer in weights] if is_of_model else weights


def _problem(weights):
    """Return what is wrong with weights, (a template, a dict of its places without the name), or None."""
    if any(hasattr(weights, kind) for kind in KINDS):
        given, kinds = type(weights).__name__, [f".{kind}" for kind in KINDS if getattr(weights, kind, None)]
        return (AMONG_OTHERS, {"given": given, "part": " or ".join(kinds)}) if kinds else (MISSING, {"given": given})
    if not (weights is None or isinstance(weights, list | tuple)):
        return None
    layers = weights or ()
    absent = [f"layer {number}" for number, layer in enumerate(layers) if layer is None]
    if len(absent) == len(layers):
        return MISSING, {"given": "None for each layer" if layers else repr(weights)}
    nested = [number for number, part in enumerate(layers) if _is_nested(part)]
    if nested:
        other = AMONG_OTHERS, {"given": type(weights).__name__, "part": f"[{nested[0]}]"}
        return (GENERATED, {}) if len(nested) == len(layers) else other
    shapes = [*map(_shape, layers)]
    if absent and any(shapes):
        return INCOMPLETE, {"given": ", ".join(absent)}
    if not all(shapes):
        return None
    first, other = shapes[0], next((shape for shape in shapes if shape != shapes[0]), None)
    if other:
        return UNEQUAL, {"first": first, "other": other}
    return (SEVERAL, {"first": first}) if len(first) == 4 and first[0] != 1 else None


def _shape(layer):
    return tuple(getattr(layer, "shape", ()))


def _is_nested(part):
    return isinstance(part, list | tuple) and len(part) > 0 and len(_shape(part[0])) == 4
