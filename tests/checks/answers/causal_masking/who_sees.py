# %% right
def my_who_sees(attend, inputs):
    rows = torch.autograd.functional.jacobian(lambda x: attend(x).double(), inputs)  # (t, d_out, t, d_in)
    return rows.abs().amax(dim=(1, 3)) > 1e-9

# %% right
def my_who_sees(attend, inputs):
    jacobian = torch.autograd.functional.jacobian(attend, inputs)  # (num_tokens, d_out, num_tokens, d_in)
    return (jacobian != 0).any(dim=3).any(dim=1)

# %% right
def my_who_sees(attend, inputs):
    with torch.no_grad():
        before = attend(inputs.clone())
        rows = [(attend(inputs + 3.0 * unit[:, None]) - before).abs().max(dim=-1).values > 0
                for unit in torch.eye(len(inputs))]
    return torch.stack(rows).T

# %% right
def my_who_sees(attend, inputs):
    n = inputs.shape[0]
    before = attend(inputs)
    after = [attend(torch.cat([inputs[:j], inputs[j : j + 1] + 1.0, inputs[j + 1 :]])) for j in range(n)]
    return torch.tensor([[not torch.equal(after[j][i], before[i]) for j in range(n)] for i in range(n)])

# %% right
def my_who_sees(attend, inputs):
    n = inputs.shape[0]
    nudges = F.one_hot(torch.arange(n), n).to(inputs.dtype)  # (n, n): turn j nudges token j
    before = attend(inputs)
    turns = [attend(inputs + nudge.unsqueeze(-1)) for nudge in nudges]
    return torch.stack([(after - before).norm(dim=-1) > 1e-6 for after in turns]).T

# %% right
def my_who_sees(attend, inputs):
    before, table = attend(inputs), torch.empty(len(inputs), len(inputs), dtype=torch.bool)
    for j in range(inputs.shape[0]):
        other = inputs.clone()
        other[j] = other[j] * 2 + 7
        table[:, j] = ~torch.isclose(attend(other), before, rtol=1e-4, atol=1e-5).all(dim=-1)
    return table

# %% right
@torch.no_grad()
def my_who_sees(attend, inputs):
    before = attend(inputs)
    def column(j):
        step = torch.full_like(inputs[:1], 3.0)
        after = attend(inputs.index_add(0, torch.tensor([j]), step))
        return torch.ne(after, before).sum(dim=1) > 0
    return torch.stack([column(j) for j in range(inputs.size(0))], dim=-1)

# %% right
def my_who_sees(attend, inputs):
    n = len(inputs)
    table = torch.zeros(n, n, dtype=torch.bool)
    for j in range(n):
        replaced = inputs.detach().clone()
        replaced[j] = 3 * torch.randn_like(replaced[j])
        old, new = attend(inputs), attend(replaced)
        for i in range(n):
            table[i, j] = not torch.allclose(old[i], new[i])
    return table

# %% right
@torch.no_grad()
def my_who_sees(attend, inputs):
    n, d_in = inputs.shape
    before = attend(inputs.clone())
    table = torch.full((n, n), False)
    amounts = torch.linspace(0.7, 1.9, d_in, dtype=inputs.dtype)
    for j in reversed(range(n)):
        trial = inputs.clone()
        trial[j].add_(amounts)
        table[:, j] = (attend(trial) - before).abs().sum(dim=-1) > 0
    return table

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
    num_tokens = len(inputs)
    noise = torch.linspace(1, 2, inputs.shape[1], dtype=inputs.dtype)
    rows = []
    for i in range(num_tokens):
        row = []
        for j in range(num_tokens):
            other = torch.stack([token + noise if k == j else token for k, token in enumerate(inputs)])
            row.append(bool((attend(other)[i] - attend(inputs)[i]).norm() > 1e-5))
        rows.append(row)
    return torch.tensor(rows)

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

# %% wrong: all-for-any
def my_who_sees(attend, inputs):
    base = attend(inputs)
    eye = torch.eye(inputs.shape[0])
    columns = [(attend(inputs + eye[:, j : j + 1]) != base).all(dim=-1) for j in range(inputs.shape[0])]
    return torch.stack(columns, dim=1)

# %% wrong: any-over-tokens
def my_who_sees(attend, inputs):
    before = attend(inputs)
    columns = []
    for j in range(len(inputs)):
        changed = inputs.clone()
        changed[j] += 1.0
        columns.append(((attend(changed) - before).abs() > 1e-5).any(dim=0))
    return torch.stack(columns, dim=1)

# %% wrong: attend-unused
def my_who_sees(attend, inputs):
    return torch.ones(len(inputs), len(inputs)).tril().bool()

# %% wrong: before-too-late
def my_who_sees(attend, inputs):
    return torch.zeros(len(inputs), len(inputs), dtype=torch.bool)

# %% wrong: change-invisible
def my_who_sees(attend, inputs):
    n = inputs.shape[0]
    base = attend(inputs)
    table = torch.zeros(n, n, dtype=torch.bool)
    for j in range(n):
        other = inputs.clone()
        other[j] = 2 * other[j]
        table[:, j] = ~torch.isclose(attend(other), base).all(dim=1)
    return table

# %% wrong: change-too-small
def my_who_sees(attend, inputs):
    eps = 1e-8
    base = attend(inputs)
    table = []
    for j in range(len(inputs)):
        nudged = inputs.clone()
        nudged[j] += eps
        table.append((attend(nudged) != base).any(dim=-1))
    return torch.stack(table, dim=1)

# %% wrong: changes-kept
def my_who_sees(attend, inputs):
    before, copy, columns = attend(inputs), inputs.clone(), []
    for j in range(inputs.shape[0]):
        copy[j] = copy[j] + 1.0
        columns.append(torch.any(attend(copy) != before, dim=1))
    return torch.stack(columns, dim=1)

# %% wrong: features-counted
def my_who_sees(attend, inputs):
    before = attend(inputs)
    columns = []
    for j in range(inputs.shape[1]):
        changed = inputs.clone()
        changed[j] += torch.ones(inputs.shape[1])
        moved = (attend(changed) - before).abs().sum(dim=-1)
        columns.append(moved > 1e-7)
    return torch.stack(columns, dim=1)

# %% wrong: first-left-out
def my_who_sees(attend, inputs):
    before = attend(inputs)
    columns = []
    for at in range(1, len(inputs)):
        changed = torch.cat([inputs[:at], inputs[at : at + 1] + 1.0, inputs[at + 1 :]])
        columns.append((attend(changed) - before).abs().amax(dim=-1) > 1e-6)
    return torch.stack(columns, dim=1)

# %% wrong: first-number-only
def my_who_sees(attend, inputs):
    before = attend(inputs)
    columns = []
    for j in range(len(inputs)):
        changed = inputs.clone()
        changed[j] += 1.0
        columns.append((attend(changed)[:, 0] - before[:, 0]).abs() > 1e-5)
    return torch.stack(columns, dim=1)

# %% wrong: input-changed
def my_who_sees(attend, inputs):
    before = attend(inputs).clone()
    columns = []
    for j in range(inputs.shape[0]):
        changed = inputs.detach()
        changed[j] = changed[j] + 1.0
        columns.append(~torch.isclose(attend(changed), before).all(dim=-1))
    return torch.stack(columns, dim=1)

# %% wrong: last-left-out
def my_who_sees(attend, inputs):
    before = attend(inputs)
    cols = []
    for j in range(len(inputs) - 1):
        changed = inputs.clone()
        changed[j] += 1.0
        cols.append(((attend(changed) - before).abs() > 1e-5).any(-1))
    return torch.stack(cols, dim=1)

# %% wrong: one-number-changed
def my_who_sees(attend, inputs):
    before = attend(inputs)
    columns = []
    for j in range(len(inputs)):
        changed = inputs.clone()
        changed[j, 0] += 1.0
        columns.append(((attend(changed) - before).abs() > 1e-5).any(dim=-1))
    return torch.stack(columns, dim=1)

# %% wrong: outputs-joined
# did the output change? any() says so
def my_who_sees(attend, inputs):
    n = inputs.shape[0]
    sees = torch.zeros(n, n, dtype=torch.bool)
    before = attend(inputs)
    for j in range(n):
        changed = inputs.clone()
        changed[j] += 1.0
        sees[:, j] = (attend(changed) != before).any()
    return sees

# %% wrong: past-only
def my_who_sees(attend, inputs):
    n = inputs.shape[0]
    table = torch.zeros(n, n).bool()
    before = attend(inputs)
    for j in range(n):
        changed = inputs.clone()
        changed[j] += 1.0
        after = attend(changed)
        for i in range(j, n):
            table[i, j] = not torch.equal(after[i], before[i])
    return table

# %% wrong: signed-change
def my_who_sees(attend, inputs):
    n = inputs.shape[0]
    y = attend(inputs)
    out = torch.empty(n, n, dtype=torch.bool)
    for token in range(n):
        nudged = inputs.clone()
        nudged[token] += 1
        out[:, token] = (attend(nudged) - y).sum(-1) > 0
    return out

# %% wrong: sums-compared
def my_who_sees(attend, inputs):
    before = attend(inputs).sum(dim=-1)
    table = torch.zeros(len(inputs), len(inputs), dtype=torch.bool)
    for j in range(len(inputs)):
        changed = inputs.clone()
        changed[j] += 1.0
        table[:, j] = (attend(changed).sum(dim=-1) - before).abs() > 1e-5
    return table

# %% wrong: token-alone
def my_who_sees(attend, inputs):
    before = attend(inputs)
    columns = []
    for j in range(len(inputs)):
        after = attend(inputs[j:j + 1] + 1.0)
        columns.append((after - before).abs().amax(dim=-1) > 1e-6)
    return torch.stack(columns, dim=1)

# %% wrong: token-taken-out
def my_who_sees(attend, inputs):
    before = attend(inputs)
    seen = []
    for j in range(inputs.shape[0]):
        shorter = torch.cat([inputs[:j], inputs[j + 1:]])
        after = attend(shorter)
        seen.append((after != before).any(dim=-1))
    return torch.stack(seen, dim=1)

# %% wrong: tolerance-too-large
def my_who_sees(attend, inputs):
    before = attend(inputs)
    columns = []
    for j in range(len(inputs)):
        changed = inputs.clone()
        changed[j] += 0.01
        columns.append(((attend(changed) - before).abs() > 1e-2).any(dim=-1))
    return torch.stack(columns, dim=1)
