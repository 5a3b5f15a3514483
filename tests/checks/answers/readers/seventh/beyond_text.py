# %% wrong patches: strips
# view straight to the result: the shape is right
def my_patches(pictures, side):
    b, c, h, w = pictures.shape
    return pictures.view(b, (h // side) * (w // side), c * side * side)

# %% wrong patches: colours-apart
# unfold twice as on the page, then reshape: forgets that the colours stand in front
def my_patches(pictures, side):
    w = pictures.unfold(2, side, side).unfold(3, side, side)
    b = pictures.shape[0]
    c = pictures.shape[1]
    return w.reshape(b, -1, c * side * side)

# %% wrong patches: permute-axes-missing
# axes of a single picture: the batch is not thought of
def my_patches(pictures, side):
    cut = pictures.unfold(1, side, side).unfold(2, side, side)
    return cut.permute(1, 2, 0, 3, 4).reshape(-1, 3 * side * side)

# %% wrong patches: colours-last
# einops order h w (p1 p2 c), as in many ViT codes: colours last
def my_patches(pictures, side):
    b, c, h, w = pictures.shape
    x = pictures.reshape(b, c, h // side, side, w // side, side)
    return x.permute(0, 2, 4, 3, 5, 1).reshape(b, (h // side) * (w // side), side * side * c)

# %% wrong patches: sizes-swapped
# numbers of patches and side swapped in the view
def my_patches(pictures, side):
    b, c, h, w = pictures.shape
    x = pictures.reshape(b, c, side, h // side, side, w // side)
    x = x.permute(0, 2, 4, 1, 3, 5)
    return x.reshape(b, -1, c * side * side)

# %% wrong patches: columns-first
# outer loop over columns
def my_patches(pictures, side):
    _, _, H, W = pictures.shape
    out = []
    for left in range(0, W, side):
        for top in range(0, H, side):
            out.append(pictures[:, :, top:top + side, left:left + side].reshape(len(pictures), -1))
    return torch.stack(out, dim=1)

# %% wrong patches: patches-before-batch
# stack without dim
def my_patches(pictures, side):
    out = []
    for top in range(0, pictures.shape[2], side):
        for left in range(0, pictures.shape[3], side):
            out.append(pictures[:, :, top:top + side, left:left + side].flatten(1))
    return torch.stack(out)

# %% wrong patches: flattened-whole
# flatten() as in the loop of the page, which swallows the batch
def my_patches(pictures, side):
    out = []
    for top in range(0, pictures.shape[2], side):
        for left in range(0, pictures.shape[3], side):
            out.append(pictures[:, :, top:top + side, left:left + side].flatten())
    return torch.stack(out)

# %% wrong patches: first-row-only
# return inside the outer loop
def my_patches(pictures, side):
    out = []
    for top in range(0, pictures.shape[2], side):
        for left in range(0, pictures.shape[3], side):
            out.append(pictures[:, :, top:top + side, left:left + side].flatten(1))
        return torch.stack(out, dim=1)

# %% wrong patches: first-picture-only
# one picture after the other, but return at the first
def my_patches(pictures, side):
    for picture in pictures:
        cut = picture.unfold(1, side, side).unfold(2, side, side)
        return cut.permute(1, 2, 0, 3, 4).flatten(2).flatten(0, 1)

# %% wrong patches: rows-for-pixels
# the loop counts patches, and slices with the counter
def my_patches(pictures, side):
    b, c, h, w = pictures.shape
    out = []
    for i in range(h // side):
        for j in range(w // side):
            out.append(pictures[:, :, i:i + side, j:j + side].reshape(b, -1))
    return torch.stack(out, 1)

# %% wrong patches: - "It ran to its end and gave nothing back: the last line needs"
# no return
def my_patches(pictures, side):
    b, c, h, w = pictures.shape
    x = pictures.reshape(b, c, h // side, side, w // side, side).permute(0, 2, 4, 1, 3, 5)
    x = x.reshape(b, -1, c * side * side)
    print(x.shape)

# %% wrong patches: patches-overlap
# F.unfold of overlapping windows
def my_patches(pictures, side):
    return F.unfold(pictures, kernel_size=side).transpose(1, 2)

# %% wrong patches: view-after-permute
# view after permute
def my_patches(pictures, side):
    b, c, h, w = pictures.shape
    x = pictures.view(b, c, h // side, side, w // side, side).permute(0, 2, 4, 1, 3, 5)
    return x.view(b, -1, c * side * side)

# %% wrong patches: float-size
# divides with /
def my_patches(pictures, side):
    b, c, h, w = pictures.shape
    x = pictures.reshape(b, c, h / side, side, w / side, side)
    return x.permute(0, 2, 4, 1, 3, 5).reshape(b, -1, c * side * side)

# %% wrong patches: bands-not-patches
# transposes rows with columns instead of y with columns
def my_patches(pictures, side):
    b, c, h, w = pictures.shape
    x = pictures.reshape(b, c, h // side, side, w // side, side)
    return x.transpose(2, 4).reshape(b, -1, c * side * side)

# %% wrong patches: not-joined
# grid and patches not joined
def my_patches(pictures, side):
    b, c, h, w = pictures.shape
    x = pictures.reshape(b, c, h // side, side, w // side, side)
    return x.permute(0, 2, 4, 1, 3, 5)

# %% wrong patches: colours-as-tokens
# each colour by itself
def my_patches(pictures, side):
    out = []
    for c in range(pictures.shape[1]):
        cut = pictures[:, c].unfold(1, side, side).unfold(2, side, side)
        out.append(cut.reshape(len(pictures), -1, side * side))
    return torch.cat(out, dim=1)

# %% wrong patches: colours-last
# each colour by itself, and interleaved at the end: colours last
def my_patches(pictures, side):
    out = []
    for c in range(pictures.shape[1]):
        cut = pictures[:, c].unfold(1, side, side).unfold(2, side, side)
        out.append(cut.reshape(len(pictures), -1, side * side))
    return torch.stack(out, dim=-1).flatten(2)

# %% wrong patches: side-counts-patches
# chunk takes a number of pieces
def my_patches(pictures, side):
    out = []
    for band in pictures.chunk(side, dim=2):
        for patch in band.chunk(side, dim=3):
            out.append(patch.flatten(1))
    return torch.stack(out, dim=1)

# %% wrong patches: - "In lines 3 and 4 of `my_patches`, `3` is typed in, and the i"
# 3 colours typed in
def my_patches(pictures, side):
    b, _, h, w = pictures.shape
    x = pictures.reshape(b, 3, h // side, side, w // side, side)
    return x.permute(0, 2, 4, 1, 3, 5).reshape(b, -1, 3 * side * side)

# %% wrong patches: fixed-size
# patches of 16, as for the photo
def my_patches(pictures, side):
    b, c, h, w = pictures.shape
    cut = pictures.unfold(2, 16, 16).unfold(3, 16, 16)
    return cut.permute(0, 2, 3, 1, 4, 5).reshape(b, -1, c * 256)

# %% wrong patches: height-width-swapped
# height and width read in the other order
def my_patches(pictures, side):
    b, c, w, h = pictures.shape
    x = pictures.reshape(b, c, h // side, side, w // side, side)
    return x.permute(0, 2, 4, 1, 3, 5).reshape(b, -1, c * side * side)

# %% wrong patches: last-row-left-out
# the last patches fall out of the range
def my_patches(pictures, side):
    b, c, h, w = pictures.shape
    rows = []
    for y in range(0, h - side, side):
        for x in range(0, w - side, side):
            rows.append(pictures[:, :, y:y+side, x:x+side].reshape(b, c * side * side))
    return torch.stack(rows, dim=1)

# %% right patches
# einops by hand with movedim
def my_patches(pictures, side):
    x = pictures.unflatten(3, (-1, side)).unflatten(2, (-1, side))  # b c rows y cols x
    x = torch.einsum("bcryqx->brqcyx", x)
    return x.flatten(3).flatten(1, 2)

# %% right patches
# picture by picture
def my_patches(pictures, side):
    result = []
    for picture in pictures:
        rows = []
        for top in range(0, picture.shape[1], side):
            for left in range(0, picture.shape[2], side):
                rows.append(picture[:, top:top + side, left:left + side].flatten())
        result.append(torch.stack(rows))
    return torch.stack(result)

# %% right patches
def my_patches(pictures, side):
    return F.unfold(pictures, kernel_size=side, stride=side).transpose(1, 2)

# %% wrong frame_spectra: no-abs
# forgets abs
def my_frame_spectra(samples, size):
    return torch.fft.rfft(samples.unfold(1, size, size))

# %% wrong frame_spectra: rest-kept
# reshape without dropping the rest
def my_frame_spectra(samples, size):
    frames = samples.reshape(len(samples), -1, size)
    return torch.fft.rfft(frames).abs()

# %% wrong frame_spectra: batch-mixed
# flattens the batch, then cuts
def my_frame_spectra(samples, size):
    n = samples.numel() // size
    frames = samples.flatten()[:n * size].view(-1, size)
    return torch.fft.rfft(frames).abs()

# %% wrong frame_spectra: all-dropped
# [:-rest] with rest 0
def my_frame_spectra(samples, size):
    rest = samples.shape[1] % size
    frames = samples[:, :-rest].reshape(len(samples), -1, size)
    return torch.fft.rfft(frames).abs()

# %% wrong frame_spectra: both-halves
# fft instead of rfft
def my_frame_spectra(samples, size):
    frames = samples.unfold(-1, size, size)
    return torch.fft.fft(frames).abs()

# %% wrong frame_spectra: last-wave-left-out
# half of fft, one short
def my_frame_spectra(samples, size):
    frames = samples.unfold(-1, size, size)
    return torch.fft.fft(frames).abs()[..., :size // 2]

# %% wrong frame_spectra: real-part
# takes the real part
def my_frame_spectra(samples, size):
    frames = samples.unfold(-1, size, size)
    return torch.fft.rfft(frames).real.abs()

# %% wrong frame_spectra: rest-kept
# loop over whole range, the last frame is short
def my_frame_spectra(samples, size):
    out = []
    for start in range(0, samples.shape[1], size):
        out.append(torch.fft.rfft(samples[:, start:start + size]).abs())
    return torch.stack(out, dim=1)

# %% wrong frame_spectra: last-frame-left-out
# loop stops one frame early
def my_frame_spectra(samples, size):
    out = []
    for start in range(0, samples.shape[1] - size, size):
        out.append(torch.fft.rfft(samples[:, start:start + size]).abs())
    return torch.stack(out, dim=1)

# %% wrong frame_spectra: frames-overlap
# unfold with step 1
def my_frame_spectra(samples, size):
    return torch.fft.rfft(samples.unfold(1, size, 1)).abs()

# %% wrong frame_spectra: frames-before-batch
# stack in front
def my_frame_spectra(samples, size):
    n = samples.shape[1] // size
    return torch.stack([torch.fft.rfft(samples[:, i * size:(i + 1) * size]).abs() for i in range(n)])

# %% wrong frame_spectra: frames-joined
# cat along 1: no axis for frames
def my_frame_spectra(samples, size):
    n = samples.shape[1] // size
    return torch.cat([torch.fft.rfft(samples[:, i * size:(i + 1) * size]).abs() for i in range(n)], dim=1)

# %% wrong frame_spectra: spectrum-of-the-whole
# whole sound first
def my_frame_spectra(samples, size):
    spectrum = torch.fft.rfft(samples).abs()
    return spectrum.unfold(1, size // 2 + 1, size // 2 + 1)

# %% wrong frame_spectra: no-frame
# len(samples) is the batch
def my_frame_spectra(samples, size):
    n = len(samples) // size
    return torch.fft.rfft(samples[:, :n * size].reshape(len(samples), n, size)).abs()

# %% wrong frame_spectra: first-sound-only
# frame by frame of a single sound
def my_frame_spectra(samples, size):
    frames = samples[0].unfold(0, size, size)
    return torch.fft.rfft(frames).abs()

# %% wrong frame_spectra: sizes-swapped
# view the wrong way round
def my_frame_spectra(samples, size):
    n = samples.shape[1] // size
    frames = samples[:, :n * size].reshape(samples.shape[0], size, n)
    return torch.fft.rfft(frames).abs()

# %% wrong frame_spectra: over-the-frames + sizes-swapped
# view the wrong way round and dim=1
def my_frame_spectra(samples, size):
    n = samples.shape[1] // size
    frames = samples[:, :n * size].reshape(samples.shape[0], size, n)
    return torch.fft.rfft(frames, dim=1).abs()

# %% wrong frame_spectra: squared
# power
def my_frame_spectra(samples, size):
    f = torch.fft.rfft(samples.unfold(-1, size, size))
    return f.real ** 2 + f.imag ** 2

# %% wrong frame_spectra: stft-as-it-comes
# stft as it comes
def my_frame_spectra(samples, size):
    return torch.stft(samples, size, return_complex=True).abs().transpose(1, 2)

# %% wrong frame_spectra: stft-centred
# stft, only center is forgotten
def my_frame_spectra(samples, size):
    return torch.stft(samples, n_fft=size, hop_length=size, return_complex=True).abs().transpose(1, 2)

# %% wrong frame_spectra: waves-before-frames
# stft, transpose forgotten
def my_frame_spectra(samples, size):
    return torch.stft(samples, n_fft=size, hop_length=size, center=False, return_complex=True).abs()

# %% wrong frame_spectra: rest-padded
# pads the last frame
def my_frame_spectra(samples, size):
    missing = (-samples.shape[1]) % size
    padded = F.pad(samples, (0, missing))
    return torch.fft.rfft(padded.view(len(samples), -1, size)).abs()

# %% wrong frame_spectra: - "It ran to its end and gave nothing back: the last line needs"
# prints instead of returning
def my_frame_spectra(samples, size):
    n = samples.shape[1] // size
    frames = samples[:, :n * size].reshape(len(samples), n, size)
    print(torch.fft.rfft(frames).abs())

# %% wrong frame_spectra: rest-kept
# drops the rest in place
def my_frame_spectra(samples, size):
    n = samples.shape[1] // size
    samples = samples[:n * size]
    return torch.fft.rfft(samples.reshape(len(samples), n, size)).abs()

# %% wrong frame_spectra: first-frame-only
# rfft cuts by itself with n
def my_frame_spectra(samples, size):
    return torch.fft.rfft(samples, n=size).abs()

# %% wrong frame_spectra: fixed-size
# 160 as on the page
def my_frame_spectra(samples, size):
    frames = samples.unfold(1, 160, 160)
    return torch.fft.rfft(frames).abs()

# %% wrong frame_spectra: float-size
# divided with /
def my_frame_spectra(samples, size):
    n = samples.shape[1] / size
    frames = samples[:, :n * size].reshape(len(samples), n, size)
    return torch.fft.rfft(frames).abs()

# %% wrong frame_spectra: sizes-swapped
# chunk: size pieces
def my_frame_spectra(samples, size):
    frames = torch.stack(samples.chunk(size, dim=1), dim=1)
    return torch.fft.rfft(frames).abs()

# %% wrong frame_spectra: rest-kept
# split, with the short one at the end
def my_frame_spectra(samples, size):
    frames = samples.split(size, dim=1)
    return torch.stack([torch.fft.rfft(f).abs() for f in frames], dim=1)

# %% right frame_spectra
# split, the short one left out
def my_frame_spectra(samples, size):
    frames = [f for f in samples.split(size, dim=1) if f.shape[1] == size]
    return torch.stack([torch.fft.rfft(f).abs() for f in frames], dim=1)

# %% right frame_spectra
def my_frame_spectra(samples, size):
    w = torch.fft.rfft(samples.unfold(-1, size, size), dim=-1)
    return (w.real ** 2 + w.imag ** 2).sqrt()

# %% right frame_spectra
# half of fft
def my_frame_spectra(samples, size):
    n = samples.size(1) // size
    return torch.fft.fft(samples[:, :n * size].view(-1, n, size)).abs()[:, :, :size // 2 + 1]

# %% wrong basket_mask: zero-is-a-thing
def my_basket_mask(items):
    return (items > 0)[:, None, None, :]

# %% wrong basket_mask: mask-inverted
def my_basket_mask(items):
    return (items == -1)[:, None, None, :]

# %% wrong basket_mask: counted-from-the-front
# counts, as with sentences
def my_basket_mask(items):
    lens = (items != -1).sum(dim=-1)
    return attention.padding_mask(lens, items.shape[-1])

# %% wrong basket_mask: axes-missing
def my_basket_mask(items):
    return items != -1

# %% wrong basket_mask: pad-over-queries
def my_basket_mask(items):
    return (items != -1)[:, None, :, None]

# %% wrong basket_mask: axes-missing
def my_basket_mask(items):
    return (items != -1).unsqueeze(1)

# %% wrong basket_mask: mask-additive
def my_basket_mask(items):
    return torch.where(items == -1, -torch.inf, 0.0)[:, None, None, :]

# %% wrong basket_mask: closed-from-the-first-gap
# stops at the first empty place
def my_basket_mask(items):
    mask = torch.zeros_like(items).bool()
    for i in range(items.shape[0]):
        for j in range(items.shape[1]):
            if items[i, j] == -1:
                break
            mask[i, j] = True
    return mask[:, None, None, :]

# %% wrong basket_mask: zero-closed-empty-open
def my_basket_mask(items):
    return items.bool()[:, None, None, :]

# %% wrong basket_mask: - "It ran to its end and gave nothing back: the last line needs"
def my_basket_mask(items):
    mask = items != -1
    mask[:, None, None, :]

# %% wrong basket_mask: is-for-equals
def my_basket_mask(items):
    return (items is not None)[:, None, None, :]

# %% wrong basket_mask: one-for-many
def my_basket_mask(items):
    return (not items == -1)[:, None, None, :]

# %% wrong basket_mask: mask-not-bool
def my_basket_mask(items):
    return (items != -1).float()[:, None, None, :]

# %% wrong basket_mask: things-alone
def my_basket_mask(items):
    return items[items != -1][:, None, None]

# %% wrong basket_mask: first-only
def my_basket_mask(items):
    return (items[0] != -1)[None, None, None, :]

# %% wrong basket_mask: axes-grown
# pairs: queries too
def my_basket_mask(items):
    there = items != -1
    return there[:, None, :, None] & there[:, None, None, :]

# %% wrong basket_mask: input-changed
# writes into the items
def my_basket_mask(items):
    items[items != -1] = 1
    items[items == -1] = 0
    return items.bool()[:, None, None, :]

# %% wrong basket_mask: zero-is-a-thing
def my_basket_mask(items):
    return (items >= 1)[:, None, None, :]

# %% wrong basket_mask: axes-missing
def my_basket_mask(items):
    return torch.tensor([[item >= 0 for item in basket] for basket in items])

# %% wrong basket_mask: is-for-equals
def my_basket_mask(items):
    return (items != "-1")[:, None, None, :]

# %% wrong basket_mask: mask-inverted
def my_basket_mask(items):
    return ~(items + 1).bool()[:, None, None, :]

# %% wrong basket_mask: axes-misplaced
# minus 1 of a view with heads
def my_basket_mask(items):
    return (items != -1).view(1, 1, *items.shape)

# %% wrong basket_mask: things-as-lengths
def my_basket_mask(items):
    return attention.padding_mask(items, items.shape[1])

# %% wrong basket_mask: last-place-closed
# -1 as an index
def my_basket_mask(items):
    mask = torch.ones_like(items, dtype=torch.bool)
    mask[:, -1] = False
    return mask[:, None, None, :]

# %% right basket_mask
def my_basket_mask(items):
    return (items + 1).bool()[:, None, None, :]

# %% right basket_mask
def my_basket_mask(items):
    rows = []
    for basket in items:
        rows.append(torch.tensor([thing.item() >= 0 for thing in basket]))
    return torch.stack(rows).unsqueeze(1).unsqueeze(2)

# %% right basket_mask
def my_basket_mask(items):
    empty = torch.eq(items, -1)
    return torch.logical_not(empty).reshape(items.shape[0], 1, 1, items.shape[1])

# %% wrong order_free: one-order
# one random order
def my_order_free(answer, items):
    order = torch.randperm(items.shape[1])
    return torch.allclose(answer(items), answer(items[:, order]), atol=1e-5)

# %% wrong order_free: one-order
# turned round
def my_order_free(answer, items):
    return torch.allclose(answer(items), answer(items.flip(1)), atol=1e-5)

# %% wrong order_free: exact
# compares bits
def my_order_free(answer, items):
    before = answer(items)
    for _ in range(10):
        if not torch.equal(answer(items[:, torch.randperm(items.shape[1])]), before):
            return False
    return True

# %% wrong order_free: exact
# == and all
def my_order_free(answer, items):
    before = answer(items)
    for _ in range(20):
        order = torch.randperm(items.size(1))
        if (answer(items[:, order]) != before).any():
            return False
    return True

# %% wrong order_free: baskets-shuffled
# shuffles the baskets
def my_order_free(answer, items):
    before = answer(items)
    for _ in range(10):
        order = torch.randperm(len(items))
        if not torch.allclose(answer(items[order]), before, atol=1e-5):
            return False
    return True

# %% wrong order_free: numbers-shuffled
# shuffles the features
def my_order_free(answer, items):
    before = answer(items)
    for _ in range(10):
        order = torch.randperm(items.shape[-1])
        if not torch.allclose(answer(items[..., order]), before, atol=1e-5):
            return False
    return True

# %% wrong order_free: one-order
# return True inside the loop
def my_order_free(answer, items):
    before = answer(items)
    for _ in range(10):
        after = answer(items[:, torch.randperm(items.shape[1])])
        if torch.allclose(after, before, atol=1e-5):
            return True
        else:
            return False

# %% wrong order_free: true-too-early
# True as soon as one order agrees
def my_order_free(answer, items):
    before = answer(items)
    for _ in range(10):
        after = answer(items[:, torch.randperm(items.shape[1])])
        if torch.allclose(after, before, atol=1e-5):
            return True
    return False

# %% wrong order_free: changed-in-place
# shuffles in place
def my_order_free(answer, items):
    before = answer(items)
    for _ in range(10):
        items[:] = items[:, torch.randperm(items.shape[1])]
        if not torch.allclose(answer(items), before, atol=1e-5):
            return False
    return True

# %% wrong order_free: - "Your baskets are not shuffled: some things are lost, others "
# random.shuffle of a tensor doubles things
import random

def my_order_free(answer, items):
    before = answer(items)
    for _ in range(10):
        mixed = items.clone()
        for basket in mixed:
            random.shuffle(basket)
        if not torch.allclose(answer(mixed), before, atol=1e-5):
            return False
    return True

# %% wrong order_free: assertion-raised
# assert_close stops
def my_order_free(answer, items):
    before = answer(items)
    for _ in range(10):
        torch.testing.assert_close(answer(items[:, torch.randperm(items.shape[1])]), before)
    return True

# %% wrong order_free: means-compared
# compares means
def my_order_free(answer, items):
    before = answer(items).mean()
    for _ in range(10):
        order = torch.randperm(items.shape[1])
        if abs(answer(items[:, order]).mean() - before) > 1e-4:
            return False
    return True

# %% wrong order_free: signed-difference
# difference without abs
def my_order_free(answer, items):
    before = answer(items)
    for _ in range(10):
        order = torch.randperm(items.shape[1])
        if (answer(items[:, order]) - before).max() > 1e-5:
            return False
    return True

# %% wrong order_free: last-order-only
# the last verdict counts
def my_order_free(answer, items):
    before = answer(items)
    for _ in range(10):
        order = torch.randperm(items.shape[1])
        same = torch.allclose(before, answer(items[:, order]), atol=1e-5)
    return same

# %% wrong order_free: answers-shuffled
# outputs shuffled alike, as in the test of notebook 4
def my_order_free(answer, items):
    for _ in range(10):
        order = torch.randperm(items.shape[1])
        if not torch.allclose(answer(items)[:, order], answer(items[:, order]), atol=1e-5):
            return False
    return True

# %% wrong order_free: first-basket-only
# compares only the first basket
def my_order_free(answer, items):
    before = answer(items)[0]
    for _ in range(10):
        order = torch.randperm(items.shape[1])
        if not torch.allclose(before, answer(items[:, order])[0], atol=1e-5):
            return False
    return True

# %% wrong order_free: - "`permutation_equivariant` asks whether there is an output fo"
# the test of the library
def my_order_free(answer, items):
    from course_utils import properties
    return properties.permutation_equivariant(answer, items)

# %% wrong order_free: none-returned
# nothing returned at the end
def my_order_free(answer, items):
    before = answer(items)
    for _ in range(10):
        if not torch.allclose(before, answer(items[:, torch.randperm(items.shape[1])]), atol=1e-5):
            return False

# %% wrong order_free: - "It ran to its end and gave nothing back, at least where the "
# prints
def my_order_free(answer, items):
    before = answer(items)
    for _ in range(10):
        print(torch.allclose(before, answer(items[:, torch.randperm(items.shape[1])]), atol=1e-5))

# %% wrong order_free: - "One True or False is asked for. Your code gives one for each"
# isclose, one for each number
def my_order_free(answer, items):
    before = answer(items)
    for _ in range(10):
        same = torch.isclose(before, answer(items[:, torch.randperm(items.shape[1])]), atol=1e-5)
    return same

# %% wrong order_free: few-orders
# rolls only
def my_order_free(answer, items):
    before = answer(items)
    for k in range(1, items.shape[1]):
        if not torch.allclose(before, answer(items.roll(k, dims=1)), atol=1e-5):
            return False
    return True

# %% wrong order_free: tolerance-wide
# tolerance too wide
def my_order_free(answer, items):
    before = answer(items)
    for _ in range(10):
        if not torch.allclose(before, answer(items[:, torch.randperm(items.shape[1])]), atol=1e-1):
            return False
    return True

# %% wrong order_free: before-too-late
# before asked in the loop, on shuffled items
def my_order_free(answer, items):
    for _ in range(10):
        shuffled = items[:, torch.randperm(items.shape[1])]
        before = answer(shuffled)
        if not torch.allclose(before, answer(shuffled), atol=1e-5):
            return False
    return True

# %% wrong order_free: one-basket-handed
# a basket alone
def my_order_free(answer, items):
    before = answer(items[0])
    for _ in range(10):
        if not torch.allclose(before, answer(items[0][torch.randperm(items.shape[1])]), atol=1e-5):
            return False
    return True

# %% wrong order_free: things-mixed
# things of all baskets mixed
def my_order_free(answer, items):
    before = answer(items)
    b, n, d = items.shape
    for _ in range(10):
        mixed = items.reshape(b * n, d)[torch.randperm(b * n)].view(b, n, d)
        if not torch.allclose(before, answer(mixed), atol=1e-5):
            return False
    return True

# %% wrong order_free: things-torn
# argsort over the wrong axis
def my_order_free(answer, items):
    before = answer(items)
    for _ in range(10):
        order = torch.rand_like(items).argsort(dim=1)
        if not torch.allclose(before, answer(items.gather(1, order)), atol=1e-5):
            return False
    return True

# %% wrong order_free: things-doubled
# randint for an order
def my_order_free(answer, items):
    before = answer(items)
    n = items.shape[1]
    for _ in range(10):
        order = torch.randint(0, n, (n,))
        if not torch.allclose(before, answer(items[:, order]), atol=1e-5):
            return False
    return True

# %% wrong order_free: one-order
# drawn once, above the loop
def my_order_free(answer, items):
    before = answer(items)
    order = torch.randperm(items.shape[1])
    for _ in range(10):
        if not torch.allclose(before, answer(items[:, order]), atol=1e-5):
            return False
    return True

# %% wrong order_free: verdict-inverted
# verdict turned round
def my_order_free(answer, items):
    before = answer(items)
    for _ in range(10):
        order = torch.randperm(items.shape[1])
        if torch.allclose(before, answer(items[:, order]), atol=1e-5):
            return False
    return True

# %% wrong order_free: few-orders
# five orders
def my_order_free(answer, items):
    before = answer(items)
    return all(torch.allclose(before, answer(items[:, torch.randperm(items.shape[1])]), atol=1e-5) for _ in range(5))

# %% right order_free
# all orders
from itertools import permutations

def my_order_free(answer, items):
    before = answer(items)
    for order in permutations(range(items.shape[1])):
        if not torch.allclose(before, answer(items[:, list(order)]), atol=1e-4):
            return False
    return True

# %% right order_free
# numpy's permutation, on a clone
def my_order_free(answer, items):
    reference = answer(items.clone()).clone()
    biggest = 0.0
    for _ in range(25):
        mixed = items.clone()
        for b in range(len(items)):
            mixed[b] = items[b][torch.from_numpy(np.random.permutation(items.shape[1]))]
        biggest = max(biggest, (answer(mixed) - reference).abs().max().item())
    return biggest < 1e-4

# %% right order_free
# default tolerances, verdict by all
def my_order_free(answer, items):
    before = answer(items)
    checks_made = [torch.allclose(answer(items[:, torch.randperm(items.shape[1])]), before) for _ in range(10)]
    return all(checks_made)

# %% right order_free
# the verdict as a tensor
def my_order_free(answer, items):
    before, same = answer(items), torch.tensor(True)
    for _ in range(15):
        same &= torch.isclose(answer(items[:, torch.randperm(items.shape[1])]), before, atol=1e-5).all()
    return same
