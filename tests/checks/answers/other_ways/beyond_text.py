# %% wrong patches: colours-as-tokens
# fancy: movedim
def my_patches(pictures, side):
    b, c, h, w = pictures.shape
    x = pictures.reshape(b, c, h // side, side, w // side, side)
    x = x.movedim(4, 3)
    return x.flatten(2, 3).flatten(1, 2).flatten(2)

# %% wrong patches: square-assumed
# height and width both from shape[-1]
def my_patches(pictures, side):
    n = pictures.shape[-1] // side
    b, c = pictures.shape[:2]
    x = pictures.reshape(b, c, n, side, n, side)
    return x.permute(0, 2, 4, 1, 3, 5).reshape(b, n * n, -1)

# %% wrong patches: - "In your patches, the numbers are right, and the shape is not"
# -1 at the wrong place: the number of patches is typed from the rows only
def my_patches(pictures, side):
    b, c, h, w = pictures.shape
    x = pictures.reshape(b, c, h // side, side, w // side, side)
    return x.permute(0, 2, 4, 1, 3, 5).reshape(b, h // side, -1)

# %% wrong patches: first-row-only
# overwritten list
def my_patches(pictures, side):
    for top in range(0, pictures.shape[2], side):
        out = []
        for left in range(0, pictures.shape[3], side):
            out.append(pictures[:, :, top:top + side, left:left + side].flatten(1))
    return torch.stack(out, dim=1)

# %% wrong patches: colours-last
# colours permuted to the back before all
def my_patches(pictures, side):
    x = pictures.permute(0, 2, 3, 1)
    b, h, w, c = x.shape
    x = x.reshape(b, h // side, side, w // side, side, c)
    return x.transpose(2, 3).reshape(b, -1, side * side * c)

# %% wrong patches: picture-turned
# x + side in the range end
def my_patches(pictures, side):
    b, c, h, w = pictures.shape
    out = []
    for x in range(0, w, side):
        for y in range(0, h, side):
            out.append(pictures[:, :, y:y + side, x:x + side].transpose(2, 3).reshape(b, -1))
    return torch.stack(out, dim=1)

# %% wrong patches: none-kept
# torch.cat on dim 1 of patches that are unsqueezed at 0
def my_patches(pictures, side):
    b, c, h, w = pictures.shape
    out = torch.empty(b, 0, c * side * side)
    for y in range(0, h, side):
        for x in range(0, w, side):
            patch = pictures[:, :, y:y + side, x:x + side].reshape(b, 1, c * side * side)
            torch.cat([out, patch], dim=1)
    return out

# %% wrong patches: colours-last + fixed-size
# unfold and wrong permute
def my_patches(pictures, side):
    w = pictures.unfold(2, side, side).unfold(3, side, side)
    return w.permute(0, 2, 3, 4, 5, 1).reshape(len(pictures), -1, side * side * 3)

# %% wrong patches: first-picture-only
# only batch 0
def my_patches(pictures, side):
    picture = pictures[0]
    c, h, w = picture.shape
    x = picture.reshape(c, h // side, side, w // side, side).permute(1, 3, 0, 2, 4)
    return x.reshape(1, -1, c * side * side)

# %% wrong patches: patches-averaged
# averages
def my_patches(pictures, side):
    return F.avg_pool2d(pictures, side).flatten(2).transpose(1, 2)

# %% wrong patches: - "In your patches, the numbers are right, and the shape is not"
# divides the batch: reshape(-1, ...)
def my_patches(pictures, side):
    b, c, h, w = pictures.shape
    x = pictures.reshape(b, c, h // side, side, w // side, side)
    return x.permute(0, 2, 4, 1, 3, 5).reshape(-1, c, side, side)

# %% wrong patches: numbered-by-rows
# writes patches to a wrong index
def my_patches(pictures, side):
    b, c, h, w = pictures.shape
    out = torch.zeros(b, (h // side) * (w // side), c * side * side)
    for i in range(h // side):
        for j in range(w // side):
            out[:, i * (h // side) + j] = pictures[:, :, i * side:(i + 1) * side, j * side:(j + 1) * side].flatten(1)
    return out

# %% right patches
def my_patches(pictures, side):
    b, c, h, w = pictures.shape
    rows = torch.arange(h).view(-1, side)
    cols = torch.arange(w).view(-1, side)
    cut = pictures[:, :, rows[:, None, :, None], cols[None, :, None, :]]  # b c rows cols y x
    return cut.movedim(1, 3).reshape(b, -1, c * side ** 2)

# %% right patches
def my_patches(pictures, side):
    x = torch.stack(pictures.split(side, dim=2), dim=1)   # b rows c y w
    x = torch.stack(x.split(side, dim=4), dim=2)          # b rows cols c y x
    return x.flatten(3).flatten(1, 2)

# %% wrong frame_spectra: over-the-frames
# abs and the wrong axis
def my_frame_spectra(samples, size):
    n = samples.shape[1] // size
    f = samples[:, :n * size].view(len(samples), n, size)
    return torch.fft.rfft(f, dim=1).abs()

# %% wrong frame_spectra: sizes-swapped
# frames of num_frames
def my_frame_spectra(samples, size):
    n = samples.shape[1] // size
    f = samples[:, :n * size].unfold(1, n, n)
    return torch.fft.rfft(f).abs()

# %% wrong frame_spectra: frames-overlap
# hop of half a frame
def my_frame_spectra(samples, size):
    return torch.fft.rfft(samples.unfold(-1, size, size // 2)).abs()

# %% wrong frame_spectra: last-frame-only
# loop, keeps the last only
def my_frame_spectra(samples, size):
    for start in range(0, samples.shape[1] - size + 1, size):
        out = torch.fft.rfft(samples[:, start:start + size]).abs()
    return out

# %% wrong frame_spectra: first-frame-only
# return in the loop
def my_frame_spectra(samples, size):
    out = []
    for start in range(0, samples.shape[1] - size + 1, size):
        out.append(torch.fft.rfft(samples[:, start:start + size]).abs())
        return torch.stack(out, dim=1)

# %% wrong frame_spectra: batch-mixed
# loop over sounds, cat
def my_frame_spectra(samples, size):
    out = []
    for sound in samples:
        out.append(torch.fft.rfft(sound.unfold(0, size, size)).abs())
    return torch.cat(out)

# %% wrong frame_spectra: real-part
# magnitude by real only squared root
def my_frame_spectra(samples, size):
    w = torch.fft.rfft(samples.unfold(1, size, size))
    return torch.sqrt(w.real ** 2)

# %% wrong frame_spectra: scaled
# normalised by size
def my_frame_spectra(samples, size):
    w = torch.fft.rfft(samples.unfold(1, size, size))
    return w.abs() / size

# %% wrong frame_spectra: rest-at-the-front
# drops frames at the start
def my_frame_spectra(samples, size):
    rest = samples.shape[1] % size
    return torch.fft.rfft(samples[:, rest:].unfold(1, size, size)).abs()

# %% wrong frame_spectra: lists-returned
# a list
def my_frame_spectra(samples, size):
    return [torch.fft.rfft(s.unfold(0, size, size)).abs() for s in samples]

# %% wrong frame_spectra: - "For the spectra, a NumPy array came back. Stay with torch al"
# numpy
def my_frame_spectra(samples, size):
    n = samples.shape[1] // size
    return np.abs(np.fft.rfft(samples.numpy()[:, :n * size].reshape(len(samples), n, size)))

# %% wrong frame_spectra: - "In your spectra, rows are too few at the end, and the others"
# rfft of the frames, then cut size // 2 + 1 of the tokens
def my_frame_spectra(samples, size):
    n = samples.shape[1] // size
    f = samples[:, :n * size].view(-1, n, size)
    return torch.fft.rfft(f).abs()[:, :size // 2 + 1]

# %% wrong frame_spectra: frames-overlap
# start counts frames
def my_frame_spectra(samples, size):
    n = samples.shape[1] // size
    return torch.stack([torch.fft.rfft(samples[:, i:i + size]).abs() for i in range(n)], dim=1)

# %% wrong frame_spectra: frames-cut
# n=size // 2 + 1
def my_frame_spectra(samples, size):
    return torch.fft.rfft(samples.unfold(1, size, size), n=size // 2 + 1).abs()

# %% right frame_spectra
def my_frame_spectra(samples, size):
    return torch.stack([torch.fft.rfft(s.unfold(0, size, size)).abs() for s in samples])

# %% right frame_spectra
def my_frame_spectra(samples, size):
    out = []
    while samples.shape[1] >= size:
        out.append(torch.fft.rfft(samples[:, :size]).abs())
        samples = samples[:, size:]
    return torch.stack(out, 1)

# %% wrong basket_mask: axes-turned
# rows and columns confused
def my_basket_mask(items):
    return (items != -1).T[:, None, None, :]

# %% wrong basket_mask: one-for-the-basket
# any
def my_basket_mask(items):
    return (items != -1).any(dim=1)[:, None, None, None]

# %% wrong basket_mask: first-only
# one return per basket
def my_basket_mask(items):
    for basket in items:
        return (basket != -1)[None, None, None, :]

# %% wrong basket_mask: places-returned
# an index list
def my_basket_mask(items):
    return torch.nonzero(items != -1)

# %% wrong basket_mask: axes-grown
# expand to square
def my_basket_mask(items):
    n = items.shape[1]
    return (items != -1)[:, None, None, :].expand(-1, -1, n, -1)

# %% wrong basket_mask: causal-added
# causal by habit
def my_basket_mask(items):
    return (items != -1)[:, None, None, :] & attention.causal_mask(items.shape[1])

# %% wrong basket_mask: - "For the mask, a list came back. `torch.tensor` makes one ten"
# python lists
def my_basket_mask(items):
    return [[[[thing != -1 for thing in basket]]] for basket in items.tolist()]

# %% wrong basket_mask: - "`items != -1` stops as a condition: one True or False is nee"
# if on a tensor
def my_basket_mask(items):
    if items != -1:
        return True
    return False

# %% wrong basket_mask: counted-from-the-front
# sorts the items
def my_basket_mask(items):
    ordered = items.sort(dim=-1, descending=True).values
    return (ordered != -1)[:, None, None, :]

# %% wrong basket_mask: items-in-mask
# masks by multiplication
def my_basket_mask(items):
    return (items * (items != -1))[:, None, None, :]

# %% wrong basket_mask: all-open
# an integer -1 in the wrong comparison
def my_basket_mask(items):
    return (items > -2)[:, None, None, :]

# %% wrong basket_mask: all-open
# nan habit
def my_basket_mask(items):
    return (~torch.isnan(items.float()))[:, None, None, :]

# %% wrong basket_mask: mask-inverted
# two things at once: zero and inverted
def my_basket_mask(items):
    return (items <= 0)[:, None, None, :]

# %% right basket_mask
def my_basket_mask(items):
    return torch.where(items == -1, False, True)[:, None, None]

# %% wrong order_free: verdict-inverted
# compares with the previous order
def my_order_free(answer, items):
    last = answer(items)
    for _ in range(10):
        now = answer(items[:, torch.randperm(items.shape[1])])
        if not torch.allclose(now, last, atol=1e-5):
            return True
        last = now
    return False

# %% wrong order_free: any-number-for-all
# any over numbers
def my_order_free(answer, items):
    before = answer(items)
    for _ in range(10):
        if not torch.isclose(answer(items[:, torch.randperm(items.shape[1])]), before, atol=1e-5).any():
            return False
    return True

# %% wrong order_free: one-order
# per basket, but compare answer of whole
def my_order_free(answer, items):
    before = answer(items)
    for b in range(len(items)):
        mixed = items.clone()
        mixed[b] = items[b][torch.randperm(items.shape[1])]
        if not torch.allclose(answer(mixed), before, atol=1e-5):
            return False
    return True

# %% wrong order_free: - "Your code takes things apart: each of their numbers goes to "
# sorts
def my_order_free(answer, items):
    return torch.allclose(answer(items), answer(items.sort(dim=1).values), atol=1e-5)

# %% wrong order_free: difference-returned
# counts how often
def my_order_free(answer, items):
    before = answer(items)
    good = 0
    for _ in range(10):
        good += torch.allclose(before, answer(items[:, torch.randperm(items.shape[1])]), atol=1e-5)
    return good

# %% wrong order_free: most-orders
# more than half
def my_order_free(answer, items):
    before = answer(items)
    good = 0
    for _ in range(10):
        good += torch.allclose(before, answer(items[:, torch.randperm(items.shape[1])]), atol=1e-5)
    return good > 5

# %% wrong order_free: never-called
# uses the items, not the answers
def my_order_free(answer, items):
    for _ in range(10):
        shuffled = items[:, torch.randperm(items.shape[1])]
        if not torch.allclose(shuffled.sum(1), items.sum(1), atol=1e-5):
            return False
    return True

# %% wrong order_free: order-not-drawn
# randperm of the tensor
def my_order_free(answer, items):
    before = answer(items)
    for _ in range(10):
        if not torch.allclose(before, answer(torch.randperm(items)), atol=1e-5):
            return False
    return True

# %% wrong order_free: always-true
# compares lengths of shapes
def my_order_free(answer, items):
    before = answer(items)
    for _ in range(10):
        if answer(items[:, torch.randperm(items.shape[1])]).shape != before.shape:
            return False
    return True

# %% wrong order_free: - "`answer(items[:, torch.randperm(items.shape[1])]) != before`"
# if on a tensor
def my_order_free(answer, items):
    before = answer(items)
    for _ in range(10):
        if answer(items[:, torch.randperm(items.shape[1])]) != before:
            return False
    return True

# %% wrong order_free: difference-returned
# string verdict
def my_order_free(answer, items):
    before = answer(items)
    for _ in range(10):
        if not torch.allclose(answer(items[:, torch.randperm(items.shape[1])]), before, atol=1e-5):
            return "False"
    return "True"

# %% wrong order_free: baskets-indexed
# indexes with order on axis 0
def my_order_free(answer, items):
    before = answer(items)
    for _ in range(10):
        order = torch.randperm(items.shape[1])
        if not torch.allclose(answer(items[order]), before, atol=1e-5):
            return False
    return True

# %% wrong order_free: few-orders
# neighbours swapped only
def my_order_free(answer, items):
    before = answer(items)
    for i in range(items.shape[1] - 1):
        mixed = items.clone()
        mixed[:, [i, i + 1]] = mixed[:, [i + 1, i]]
        if not torch.allclose(answer(mixed), before, atol=1e-5):
            return False
    return True

# %% wrong order_free: - "Your baskets are not shuffled: some things are lost, others "
# swap without a copy: both rows the same
def my_order_free(answer, items):
    before = answer(items)
    for i in range(10):
        mixed = items.clone()
        a, b = torch.randint(0, items.shape[1], (2,))
        mixed[:, a], mixed[:, b] = mixed[:, b], mixed[:, a]
        if not torch.allclose(answer(mixed), before, atol=1e-5):
            return False
    return True

# %% wrong order_free: item-of-many
# item
def my_order_free(answer, items):
    before = answer(items)
    for i in range(10):
        mixed = items[:, torch.randperm(items.shape[1])]
        if (answer(mixed) - before).item() > 1e-5:
            return False
    return True

# %% wrong order_free: means-compared
# the sum of differences
def my_order_free(answer, items):
    before = answer(items)
    total = 0
    for i in range(10):
        mixed = items[:, torch.randperm(items.shape[1])]
        total += (answer(mixed) - before).sum()
    return bool(total.abs() < 1e-4)

# %% wrong order_free: tolerance-wide
# cosine similarity
def my_order_free(answer, items):
    before = answer(items).flatten()
    for i in range(10):
        mixed = items[:, torch.randperm(items.shape[1])]
        if F.cosine_similarity(answer(mixed).flatten(), before, dim=0) < 0.99:
            return False
    return True

# %% right order_free
def my_order_free(answer, items):
    def stays(order):
        return torch.allclose(answer(items[:, order]), before, rtol=1e-3, atol=1e-5)
    before = answer(items)
    return all(stays(torch.randperm(items.shape[1])) for _ in range(100))

# %% right order_free
def my_order_free(answer, items):
    expected = answer(items)
    for _ in range(50):
        orders = torch.stack([torch.randperm(items.shape[1]) for _ in items])
        mixed = torch.gather(items, 1, orders.unsqueeze(-1).expand(-1, -1, items.shape[2]))
        difference = torch.abs(answer(mixed) - expected)
        if difference.max().item() > 1e-3:
            return False
    return True
