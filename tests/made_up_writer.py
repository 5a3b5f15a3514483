"""A made-up language model for tests of widgets.Writer: its tokens are words, its weights follow from their places."""

import time

import torch

WORDS = ["<end>", *"the robot could not climb hill because it was too weak steep far away </script>".split()]


class Word(str):
    pass


class MadeUp:
    """A model of 2 layers and 3 heads that writes the word after the last one, or with a temperature, draws one.

    slow: seconds that each token takes. end: how many tokens it reads and writes before it ends its text.
    """

    def __init__(self, slow=0.0, end=1000):
        self.slow, self.end = slow, end

    def ids(self, text):
        return [WORDS.index(word) for word in text.split()]

    def label(self, number):
        return f" {WORDS[number]}"

    def write(self, ids, num_new, temperature=0.0, top_k=None, seed=0, need_weights=False):
        if temperature < 0:
            raise ValueError(f"<b>{temperature}</b> is below 0")
        ids, generator = list(ids), torch.Generator().manual_seed(seed)
        for _ in range(num_new):
            if len(ids) >= self.end:
                return
            time.sleep(self.slow)
            logits = -(torch.arange(len(WORDS)) - ids[-1] - 1.0).abs()
            logits[0] = -torch.inf
            chosen = logits.argmax()
            if temperature:
                chosen = torch.multinomial((logits / temperature).softmax(-1), 1, generator=generator)
            word = Word(self.label(chosen))
            word.id, word.logits, word.attn_weights = int(chosen), logits, made_up_weights(len(ids))
            yield word
            ids.append(word.id)


def made_up_weights(num_keys):
    """Return (2, 3, num_keys): head h of layer l looks at the token 3 l + h before the last one."""
    back = torch.arange(6).reshape(2, 3, 1).clamp(max=num_keys - 1)
    return (-2.0 * (num_keys - 1 - back - torch.arange(num_keys)).abs()).softmax(-1)
