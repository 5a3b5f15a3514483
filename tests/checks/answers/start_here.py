"""Right answers to the exercises of *Start here*, and wrong ones with the words they hear."""

import torch

RIGHT = {
    "batch": [
        torch.zeros((4, 5, 3)),
        torch.zeros(4, 5, 3, dtype=torch.float64),
        torch.zeros(4, 5, 3).long(),
        torch.rand(4, 5, 3) * 0,
    ],
    "means": [torch.tensor([[2.0], [5.0]]), torch.tensor([2.0, 5.0])[:, None], torch.tensor([[2.0], [5.0]]).double()],
    "mix": [torch.tensor([0.7, 0.5, 1.6, 5.0]), torch.tensor([0.7, 0.5, 1.6, 5.0]).double()],
    "shares": [torch.tensor([[1 / 6, 1 / 3, 0.5], [4 / 15, 1 / 3, 0.4]])],
    "pieces": [
        torch.stack(torch.arange(12).view(2, 6).split(2, dim=1)),
        torch.arange(12).view(2, 3, 2).permute(1, 0, 2),
    ],
}


SAID = [
    ("means", torch.tensor([2.0, 5.0]), "keepdim=True"),
    ("mix", torch.sum, "A function was handed in"),
]
