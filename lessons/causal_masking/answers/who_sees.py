# %% right
def my_who_sees(attend, inputs):
    rows = torch.autograd.functional.jacobian(lambda x: attend(x).double(), inputs)  # (t, d_out, t, d_in)
    return rows.abs().amax(dim=(1, 3)) > 1e-9

# %% right
def my_who_sees(attend, inputs):
    n = inputs.shape[0]
    nudges = F.one_hot(torch.arange(n), n).to(inputs.dtype)  # (n, n): turn j nudges token j
    before = attend(inputs)
    turns = [attend(inputs + nudge.unsqueeze(-1)) for nudge in nudges]
    return torch.stack([(after - before).norm(dim=-1) > 1e-6 for after in turns]).T

# %% right
def my_who_sees(attend, inputs):
    n = len(inputs)
    old = attend(inputs)
    table = [[False] * n for _ in range(n)]
    for j in range(n):
        other = inputs.clone()
        other[j] = other[j] + torch.linspace(1.0, 2.0, inputs.shape[1])
        new = attend(other)
        for i in range(n):
            table[i][j] = not torch.allclose(new[i], old[i], rtol=0, atol=1e-7)
    return torch.tensor(table)

# %% right
def my_who_sees(attend, inputs):
    with torch.no_grad():
        before = attend(inputs)
        by_token = []
        for j in range(inputs.shape[0]):
            moved = torch.zeros(inputs.shape[0], dtype=torch.bool)
            for _ in range(2):
                changed = inputs.clone()
                changed[j] += 2 * torch.randn_like(changed[j])
                moved |= attend(changed).ne(before).any(dim=-1)
            by_token.append(moved)
    return torch.stack(by_token).T

# %% wrong: - "The table holds numbers, such as 3.418: compare, and return "
def my_who_sees(attend, inputs):
    before = attend(inputs)
    moved = []
    for j in range(inputs.shape[0]):
        changed = inputs.clone()
        changed[j] = changed[j] + 1.0
        moved.append((attend(changed) - before).abs().sum(dim=-1))
    return torch.stack(moved, dim=1)

# %% wrong: - "The table should have the shape `(4, 4)`. Yours has `(4,)`."
my_who_sees = lambda attend, inputs: torch.ones(len(inputs)).bool()

# %% wrong: - "`attend(inputs, 3)` stops: `attend` takes 1 argument. It is "
def my_who_sees(attend, inputs):
    before = attend(inputs, 3)
    return before > 0

# %% wrong: - "`attend(inputs.tolist())` stops: `attend` is handed `inputs."
def my_who_sees(attend, inputs):
    before = attend(inputs.tolist())
    return before > 0
