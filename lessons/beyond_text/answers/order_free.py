# %% right
def my_order_free(answer, items):
    before = answer(items)
    orders = [torch.randperm(items.shape[1]) for _ in range(10)]
    checks_made = [torch.allclose(answer(items[:, order]), before, atol=1e-5) for order in orders]
    return all(checks_made)

# %% right
def my_order_free(answer, items):
    before, same = answer(items), torch.tensor(True)
    for _ in range(15):
        same &= torch.isclose(answer(items[:, torch.randperm(items.shape[1])]), before, atol=1e-5).all()
    return same

# %% right
import itertools
def my_order_free(answer, items):
    before = answer(items)
    orders = itertools.permutations(range(items.shape[1]))
    return all(torch.allclose(answer(items[:, list(order)]), before, atol=1e-4) for order in orders)

# %% right
def my_order_free(answer, items):
    def stays(order):
        return torch.allclose(answer(items[:, order]), before, rtol=1e-3, atol=1e-5)
    before = answer(items)
    return all(stays(torch.randperm(items.shape[1])) for _ in range(100))

# %% wrong: - "It ran to its end and gave nothing back, at least where the "
def my_order_free(answer, items):
    before = answer(items)
    for _ in range(10):
        print(torch.allclose(before, answer(items[:, torch.randperm(items.shape[1])]), atol=1e-5))

# %% wrong: - "One True or False is asked for. Your code gives one for each"
def my_order_free(answer, items):
    before = answer(items)
    for _ in range(10):
        same = torch.isclose(before, answer(items[:, torch.randperm(items.shape[1])]), atol=1e-5)
    return same

# %% wrong: - "Your code takes things apart: each of their numbers goes to "
def my_order_free(answer, items):
    return torch.allclose(answer(items), answer(items.sort(dim=1).values), atol=1e-5)

# %% wrong: - "`answer(items, torch.randperm(items.shape[1]))` stops: `answ"
def my_order_free(answer, items):
    before = answer(items)
    for _ in range(10):
        if not torch.allclose(before, answer(items, torch.randperm(items.shape[1]))):
            return False
    return True

# %% wrong: - "`answer(items.tolist())` stops: `answer` is handed `items.to"
def my_order_free(answer, items):
    before = answer(items.tolist())
    return True

# %% wrong: - "`answer(items[:, torch.randperm(items.shape[1])]) != before`"
def my_order_free(answer, items):
    before = answer(items)
    for _ in range(10):
        if answer(items[:, torch.randperm(items.shape[1])]) != before:
            return False
    return True

# %% wrong: - "`permutation_equivariant` asks whether there is an output fo"
def my_order_free(answer, items):
    from course_utils import properties
    return properties.permutation_equivariant(answer, items)

# %% wrong: - "Where the answers differ, your code stops: `assert` and `ass"
def my_order_free(answer, items):
    before = answer(items)
    for _ in range(10):
        torch.testing.assert_close(answer(items[:, torch.randperm(items.shape[1])]), before)
    return True

# %% wrong: - "Your code shuffles the baskets, and leaves the order within "
def my_order_free(answer, items):
    before = answer(items)
    for _ in range(10):
        order = torch.randperm(len(items))
        if not torch.allclose(answer(items[order]), before, atol=1e-5):
            return False
    return True

# %% wrong: - "`answer` never meets the items as they came, so answers of o"
def my_order_free(answer, items):
    for _ in range(10):
        shuffled = items[:, torch.randperm(items.shape[1])]
        before = answer(shuffled)
        if not torch.allclose(before, answer(shuffled), atol=1e-5):
            return False
    return True

# %% wrong: - "True or False is asked for, and something else comes back, s"
def my_order_free(answer, items):
    before = answer(items)
    good = 0
    for _ in range(10):
        good += torch.allclose(before, answer(items[:, torch.randperm(items.shape[1])]), atol=1e-5)
    return good

# %% wrong: - "`answer` is never called. Call it on the items, and on the i"
my_order_free = lambda answer, items: True

# %% wrong: - "Your code shuffles the numbers of each thing, and makes othe"
def my_order_free(answer, items):
    before = answer(items)
    for _ in range(10):
        order = torch.randperm(items.shape[-1])
        if not torch.allclose(answer(items[..., order]), before, atol=1e-5):
            return False
    return True

# %% wrong: - "`answer` wants `(batch, num_items, d_in)`, and is handed som"
def my_order_free(answer, items):
    before = answer(items[0])
    for _ in range(10):
        if not torch.allclose(before, answer(items[0][torch.randperm(items.shape[1])]), atol=1e-5):
            return False
    return True

# %% wrong: - "Your True rests on one other order, which may be a lucky one"
def my_order_free(answer, items):
    return torch.allclose(answer(items), answer(items.flip(1)), atol=1e-5)

# %% wrong: - "Your baskets are not shuffled: some things are lost, others "
def my_order_free(answer, items):
    before = answer(items)
    n = items.shape[1]
    for _ in range(10):
        order = torch.randint(0, n, (n,))
        if not torch.allclose(before, answer(items[:, order]), atol=1e-5):
            return False
    return True

# %% wrong: - "Your code moves things from one basket to another. Each keep"
def my_order_free(answer, items):
    before = answer(items)
    b, n, d = items.shape
    for _ in range(10):
        mixed = items.reshape(b * n, d)[torch.randperm(b * n)].view(b, n, d)
        if not torch.allclose(before, answer(mixed), atol=1e-5):
            return False
    return True
