"""The numbers from which a head computes its weights: what `numbers=` of HeadsView and SentenceView shows."""

from course_utils.data import HeadNumbers


def head_numbers(attention, inputs, head):
    """Return the HeadNumbers of one head of a MultiHeadAttention that attends within one sequence. Used in real_heads.

    attention: the MultiHeadAttention. inputs: what it is given, (num_tokens, d_in). head: the number of the head.
    Errors: ValueError if it turns its queries and keys, shares keys between heads or hides later tokens, since its
    scores then are not those of queries and keys alone, and for a head that does not exist.
    """
    num_heads = attention.num_heads
    if attention.rotate is not None or attention.key_heads != num_heads or attention.causal:
        raise ValueError("the numbers can be shown of attention without rotate, causal=True and fewer key_heads only.")
    if not 0 <= head < num_heads:
        raise ValueError(f"head must lie between 0 and {num_heads - 1}, got {head}.")
    head_dim = attention.W_query.out_features // num_heads
    mine = slice(head * head_dim, (head + 1) * head_dim)
    W_query, bias = attention.W_query.weight.detach()[mine], attention.W_query.bias
    parts = (project(inputs).detach()[:, mine] for project in (attention.W_query, attention.W_key, attention.W_value))
    return HeadNumbers(inputs, *parts, W_query, W_query.new_zeros(head_dim) if bias is None else bias.detach()[mine])


def numbers_of(model, *encoded):
    """Return a function of (layer, head) that returns a list of HeadNumbers, one for each sentence.

    It is for the argument `numbers` of a view. model: MiniLM, or anything with `layers[i].attention`. encoded: what the
    model returned for each sentence, with hidden_states. Used in real_heads.
    """
    return lambda layer, head: [
        head_numbers(model.layers[layer].attention, each.hidden_states[layer], head) for each in encoded
    ]
