"""Right answers to the exercises of *Watch heads learn*, and wrong ones with the words they hear."""

import torch

from course_utils.models.ablation import silenced


def segment_by_repeat(segments, num_tokens):
    rounds = num_tokens // segments.shape[1] + 1
    return segments.repeat(1, rounds)[:, :num_tokens]


def segment_by_loop(segments, num_tokens):
    return torch.stack([segments[:, place % segments.size(1)] for place in range(num_tokens)], dim=1)


def segment_by_cat(segments, num_tokens):
    rows = segments
    while rows.shape[-1] < num_tokens:
        rows = torch.cat([rows, segments], dim=-1)
    return rows[..., :num_tokens]


def segment_by_gather(segments, num_tokens):
    places = (torch.arange(num_tokens) % segments.shape[-1]).expand(len(segments), -1)
    return torch.gather(segments, 1, places)


def previous_by_places(attn_weights):
    rows = torch.arange(1, attn_weights.shape[-1])
    return attn_weights[..., rows, rows - 1].mean(-1)


def previous_by_loop(attn_weights):
    total = 0
    for row in range(1, attn_weights.shape[-2]):
        total = total + attn_weights[..., row, row - 1]
    return total / (attn_weights.shape[-2] - 1)


def previous_by_einsum(attn_weights):
    return torch.einsum("...ii->...", attn_weights[..., 1:, :-1]) / (attn_weights.shape[-1] - 1)


def induction_by_loop(attn_weights, tokens):
    rows = []
    for query in range(len(tokens)):
        keys = [key for key in range(1, query + 1) if tokens[key - 1] == tokens[query]]
        if keys:
            rows.append(attn_weights[..., query, keys].sum(dim=-1))
    return torch.stack(rows).mean(dim=0)


def induction_by_einsum(attn_weights, tokens):
    same = (tokens.unsqueeze(1) == tokens).to(attn_weights.dtype)
    marks = torch.zeros_like(same)
    marks[:, 1:] = same[:, :-1]
    marks = torch.tril(marks)
    return torch.einsum("...qk,qk->...", attn_weights, marks) / (marks.sum(dim=-1) > 0).sum()


def induction_before_the_mask_of_rows(attn_weights, tokens):
    same = torch.eq(tokens[:, None], tokens[None]).tril(-1)
    on_marks = (attn_weights[..., 1:] * same[:, :-1]).sum(-1)
    return on_marks[..., same.any(1)].mean(-1)


def without_by_loops(layers, measure):
    rows = []
    for layer in layers:
        row = []
        for head in range(layer.attention.num_heads):
            with silenced(layer.attention, head):
                row.append(measure())
        rows.append(row)
    return torch.tensor(rows)


def without_in_a_table(layers, measure):
    table = torch.empty(len(layers), layers[0].attention.num_heads)
    for number, layer in enumerate(layers):
        for head in range(table.shape[1]):
            with silenced(layer.attention, head):
                table[number, head] = measure()
    return table


def without_in_comprehensions(layers, measure):
    return torch.tensor(without_as_a_list(layers, measure))


def without_as_a_list(layers, measure):
    def one(attention, head):
        with silenced(attention, head):
            return measure()

    return [[one(layer.attention, head) for head in range(layer.attention.num_heads)] for layer in layers]


def without_after_an_empty_block(layers, measure):
    table = torch.zeros(len(layers), layers[0].attention.num_heads)
    for number, layer in enumerate(layers):
        for head in range(table.shape[1]):
            with silenced(layer.attention, head):
                pass
            table[number, head] = measure()
    return table


def without_once_for_each_layer(layers, measure):
    rows = []
    for layer in layers:
        for head in range(layer.attention.num_heads):
            with silenced(layer.attention, head):
                pass
        rows.append([measure()] * layer.attention.num_heads)
    return torch.tensor(rows)


def without_cut_wrong(layers, measure):
    return without_by_loops(layers, measure).flatten().reshape(-1, len(layers))


def without_loops_exchanged(layers, measure):
    row = []
    for head in range(layers[0].attention.num_heads):
        for layer in layers:
            with silenced(layer.attention, head):
                row.append(measure())
    return torch.tensor(row).view(len(layers), -1)


def without_a_return_too_early(layers, measure):
    table = torch.zeros(len(layers), layers[0].attention.num_heads)
    for number, layer in enumerate(layers):
        for head in range(table.shape[1]):
            with silenced(layer.attention, head):
                table[number, head] = measure()
        return table


def without_the_difference(layers, measure):
    return measure() - without_by_loops(layers, measure)


def induction_with_the_last_token_before_the_first(attn_weights, tokens):
    rows = []
    for query in range(len(tokens)):
        keys = [key for key in range(query + 1) if tokens[key - 1] == tokens[query]]
        if keys:
            rows.append(attn_weights[..., query, keys].sum(dim=-1))
    return torch.stack(rows).mean(dim=0)


def previous_in_a_block(attn_weights):
    rows = torch.arange(1, attn_weights.shape[-1])
    return attn_weights[..., rows, :][..., rows - 1].mean(dim=(-2, -1))


RIGHT = {
    "repeat_segment": [segment_by_repeat, segment_by_loop, segment_by_cat, segment_by_gather],
    "previous_score": [previous_by_places, previous_by_loop, previous_by_einsum],
    "induction_score": [induction_by_loop, induction_by_einsum, induction_before_the_mask_of_rows],
    "measure_without": [without_by_loops, without_in_a_table, without_in_comprehensions],
}


SAID = [
    ("measure_without", without_as_a_list, "a list came back"),
    ("measure_without", without_after_an_empty_block, "After the block, or without `with`, all are back."),
    ("measure_without", without_once_for_each_layer, "`measure()` runs when no head is silenced"),
    ("measure_without", without_cut_wrong, "cut into rows of another length"),
    ("measure_without", without_loops_exchanged, "Let the outer loop run over the layers."),
    ("measure_without", without_a_return_too_early, "a `return` may stand inside of it"),
    ("measure_without", without_the_difference, "You returned how much was lost or won"),
    ("induction_score", induction_with_the_last_token_before_the_first, "Key 0 is marked"),
    ("previous_score", previous_in_a_block, "You averaged a whole block"),
]
