# %% right
def my_write(read, ids, num_new, end):
    new = []
    logits = read(ids)
    while len(new) < num_new:
        token = int(logits.argmax())
        if token in end:
            break
        new.append(token)
        logits = read([token])
    return new

# %% right
def my_write(read, ids, num_new, end):
    def go_on(unread, left):
        if left == 0:
            return []
        token = read(unread).topk(1).indices[0].item()
        return [] if token in end else [token] + go_on([token], left - 1)

    return go_on(ids, num_new)

# %% right
def my_write(read, ids, num_new, end):
    out = [*ids]
    unread = ids
    for i in range(num_new):
        p = torch.softmax(read(unread), dim=-1)
        unread = [p.argmax().tolist()]
        if unread[0] in end:
            break
        out.extend(unread)
    return out[len(ids):]

# %% right
def my_write(read, ids, num_new, end):
    written = []
    to_read = list(ids)
    for step in range(num_new):
        scores = read(to_read)
        best = torch.argmax(scores).item()
        if best in end:
            return written
        written += [best]
        to_read = [best]
    return written

# %% wrong: - "A `generator` came back. A list is asked for, the new tokens"
def my_write(read, ids, num_new, end):
    unread = ids
    for _ in range(num_new):
        chosen = read(unread).argmax().item()
        if chosen in end:
            return
        yield chosen
        unread = [chosen]

# %% wrong: - "After 3 tokens, `read` was given 3 more: `[5, 8, 2]`. One of"
def my_write(read, ids, num_new, end):
    new = []
    logits = read(ids)
    while len(new) < num_new:
        token = int(logits.argmax())
        if token in end:
            break
        new.append(token)
        logits = read(ids)
    return new

# %% wrong: - "In your new tokens, one number is too many at the end, and t"
def my_write(read, ids, num_new, end):
    new = []
    logits = read(ids)
    while len(new) <= num_new:
        token = int(logits.argmax())
        if token in end:
            break
        new.append(token)
        logits = read([token])
    return new

# %% wrong: - "It ran to its end and gave nothing back: the last line needs"
def my_write(read, ids, num_new, end):
    new = []
    logits = read(ids)
    while len(new) < num_new:
        token = int(logits.argmax())
        if token in end:
            break
        new.append(token)
        logits = read([token])
    print(new)

# %% wrong: - "The new tokens should have the shape `(4,)`. Yours has `(0,)"
def my_write(read, ids, num_new, end):
    out, unread = [], ids
    for _ in range(num_new):
        chosen = read(unread)[-1].argmax().item()
        if chosen in end:
            break
        out.append(chosen)
        unread = [chosen]
    return out

# %% wrong: - "`read` was first given `[2]`. First comes the beginning, `id"
def my_write(read, ids, num_new, end):
    new = []
    logits = read(ids[-1:])
    while len(new) < num_new:
        token = int(logits.argmax())
        if token in end:
            break
        new.append(token)
        logits = read([token])
    return new

# %% wrong: - "`read` was given `[5, 8, 2]` before it had read all of the b"
def my_write(read, ids, num_new, end):
    out = []
    read(ids[:-1])
    unread = ids
    for _ in range(num_new):
        chosen = read(unread).argmax().item()
        if chosen in end:
            break
        out.append(chosen)
        unread = [chosen]
    return out

# %% wrong: - "`read` was given a list with a tensor in it, `7`. Tokens are"
def my_write(read, ids, num_new, end):
    written, unread = [], ids
    for _ in range(num_new):
        token = read(unread).argmax()
        if token in end:
            break
        written.append(token)
        unread = [token]
    return written

# %% wrong: - "`read` was given an empty list. Each call needs the tokens t"
def my_write(read, ids, num_new, end):
    new = []
    logits = read(ids)
    while len(new) < num_new:
        token = int(logits.argmax())
        if token in end:
            break
        new.append(token)
        logits = read([])
    return new

# %% wrong: - "`read` was given more than 4 new tokens. Stop after `num_new"
def my_write(read, ids, num_new, end):
    out = []
    chosen = read(ids).argmax().item()
    while chosen not in end:
        out.append(chosen)
        chosen = read([chosen]).argmax().item()
    return out
