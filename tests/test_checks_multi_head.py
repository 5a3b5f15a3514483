"""The engine is ready for the classes to come: many heads, causal, with dropout, from another sequence."""

import pytest
import torch
from checks_multi_head import Reference, multi_head
from torch import nn

MISTAKES = [mistake.id for mistake in multi_head.bank]


def test_the_solution_and_another_style_pass():
    class Loop(Reference):
        def attend(self, queries, keys, values):
            results = []
            for query, key, value in zip(
                *(part.chunk(self.num_heads, -1) for part in (queries, keys, values)), strict=True
            ):
                attn_weights = self.dropout(self.weights(self.scores(query, key)))
                results.append((attn_weights @ value, attn_weights))
            context_vecs, attn_weights = zip(*results, strict=True)
            return self.out_proj(torch.cat(context_vecs, dim=-1)), torch.stack(attn_weights, dim=1)

    assert multi_head.check(Reference).status == "passed"
    assert multi_head.check(Loop).status == "passed", multi_head.check(Loop)


@pytest.mark.parametrize("mistake", multi_head.bank, ids=MISTAKES)
def test_a_mistake_is_named(mistake):
    report = multi_head.check(mistake.answer)
    assert (report.status, report.named) == ("failed", (mistake.id,)), report


def test_a_stub_is_not_attempted():
    class MyMultiHead(nn.Module):
        def forward(self, x): ...

    assert multi_head.check(MyMultiHead).status == "not attempted"
