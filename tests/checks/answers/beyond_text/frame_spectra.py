# %% right
def my_frame_spectra(samples, size):
    return torch.abs(torch.fft.rfft(samples.unfold(1, size, size)))

# %% right
def my_frame_spectra(samples, size):
    return torch.stack([torch.fft.rfft(s.unfold(0, size, size)).abs() for s in samples])

# %% right
def my_frame_spectra(samples, size):
    w = torch.fft.rfft(samples.unfold(-1, size, size), dim=-1)
    return (w.real ** 2 + w.imag ** 2).sqrt()

# %% right
def my_frame_spectra(samples, size):
    n = samples.size(1) // size
    return torch.fft.fft(samples[:, :n * size].view(-1, n, size)).abs()[:, :, :size // 2 + 1]

# %% right
def my_frame_spectra(samples, size):
    frames = [f for f in samples.split(size, dim=1) if f.shape[1] == size]
    return torch.stack([torch.fft.rfft(f).abs() for f in frames], dim=1)

# %% right
def my_frame_spectra(samples, size):
    starts = range(0, samples.shape[1] - size + 1, size)
    return torch.stack([torch.fft.rfft(samples[:, start:], n=size).abs() for start in starts], 1)

# %% right
def my_frame_spectra(samples, size):
    waves = torch.stft(
        samples, size, size, window=torch.ones(size, dtype=samples.dtype), center=False, return_complex=True
    )
    return waves.abs().mT

# %% right
def my_frame_spectra(samples, size):
    out = []
    while samples.shape[1] >= size:
        out.append(torch.fft.rfft(samples[:, :size]).abs())
        samples = samples[:, size:]
    return torch.stack(out, 1)

# %% right
def my_frame_spectra(samples, size):
    """Sines and cosines by hand."""
    rest = samples.shape[1] % size
    frames = (samples[:, :-rest] if rest else samples).unflatten(1, (-1, size))
    turns = torch.arange(size // 2 + 1, dtype=samples.dtype)[:, None] * torch.arange(size) * (2 * torch.pi / size)
    return torch.hypot(frames @ turns.cos().T, frames @ turns.sin().T)

# %% wrong: - "For the spectra, a NumPy array came back. Stay with torch al"
def my_frame_spectra(samples, size):
    n = samples.shape[1] // size
    return np.abs(np.fft.rfft(samples.numpy()[:, :n * size].reshape(len(samples), n, size)))

# %% wrong: - "In your spectra, frames are too few at the end, and the othe"
def my_frame_spectra(samples, size):
    n = samples.shape[1] // size
    f = samples[:, :n * size].view(-1, n, size)
    return torch.fft.rfft(f).abs()[:, :size // 2 + 1]

# %% wrong: - "It ran to its end and gave nothing back: the last line needs"
def my_frame_spectra(samples, size):
    n = samples.shape[1] // size
    frames = samples[:, :n * size].reshape(len(samples), n, size)
    print(torch.fft.rfft(frames).abs())

# %% wrong: all-dropped
def my_frame_spectra(samples, size):
    rest = samples.shape[1] % size
    frames = samples[:, :-rest].reshape(len(samples), -1, size)
    return torch.fft.rfft(frames).abs()

# %% wrong: batch-mixed
def my_frame_spectra(samples, size):
    out = []
    for sound in samples:
        out.append(torch.fft.rfft(sound.unfold(0, size, size)).abs())
    return torch.cat(out)

# %% wrong: both-halves
def my_frame_spectra(samples, size):
    frames = samples.unfold(-1, size, size)
    return torch.fft.fft(frames).abs()

# %% wrong: first-frame-only
def my_frame_spectra(samples, size):
    return torch.fft.rfft(samples, n=size).abs()

# %% wrong: - "In your spectra, only the first sound came back. Look for th"
def my_frame_spectra(samples, size):
    frames = samples[0].unfold(0, size, size)
    return torch.fft.rfft(frames).abs()

# %% wrong: fixed-size
def my_frame_spectra(samples, size):
    frames = samples.unfold(1, 160, 160)
    return torch.fft.rfft(frames).abs()

# %% wrong: frames-cut
def my_frame_spectra(samples, size):
    return torch.fft.rfft(samples.unfold(1, size, size), n=size // 2 + 1).abs()

# %% wrong: frames-joined
def my_frame_spectra(samples, size):
    n = samples.shape[1] // size
    return torch.cat([torch.fft.rfft(samples[:, i * size:(i + 1) * size]).abs() for i in range(n)], dim=1)

# %% wrong: frames-overlap
def my_frame_spectra(samples, size):
    return torch.fft.rfft(samples.unfold(1, size, 1)).abs()

# %% wrong: last-frame-left-out
def my_frame_spectra(samples, size):
    out = []
    for start in range(0, samples.shape[1] - size, size):
        out.append(torch.fft.rfft(samples[:, start:start + size]).abs())
    return torch.stack(out, dim=1)

# %% wrong: - "In your spectra, only the last frame came back. Look for the"
def my_frame_spectra(samples, size):
    for start in range(0, samples.shape[1] - size + 1, size):
        out = torch.fft.rfft(samples[:, start:start + size]).abs()
    return out

# %% wrong: - "These are complex numbers, arrows in the plane. Their length"
my_frame_spectra = lambda samples, size: torch.fft.rfft(samples.unfold(1, size, size))

# %% wrong: no-frame
def my_frame_spectra(samples, size):
    n = len(samples) // size
    return torch.fft.rfft(samples[:, :n * size].reshape(len(samples), n, size)).abs()

# %% wrong: over-the-frames
def my_frame_spectra(samples, size):
    n = samples.shape[1] // size
    f = samples[:, :n * size].view(len(samples), n, size)
    return torch.fft.rfft(f, dim=1).abs()

# %% wrong: over-the-frames + sizes-swapped
def my_frame_spectra(samples, size):
    n = samples.shape[1] // size
    frames = samples[:, :n * size].reshape(samples.shape[0], size, n)
    return torch.fft.rfft(frames, dim=1).abs()

# %% wrong: real-part
def my_frame_spectra(samples, size):
    frames = samples.unfold(-1, size, size)
    return torch.fft.rfft(frames).real.abs()

# %% wrong: rest-at-the-front
def my_frame_spectra(samples, size):
    rest = samples.shape[1] % size
    return torch.fft.rfft(samples[:, rest:].unfold(1, size, size)).abs()

# %% wrong: rest-kept
my_frame_spectra = lambda samples, size: torch.fft.rfft(samples.view(len(samples), -1, size)).abs()

# %% wrong: scaled
def my_frame_spectra(samples, size):
    w = torch.fft.rfft(samples.unfold(1, size, size))
    return w.abs() / size

# %% wrong: sizes-swapped
def my_frame_spectra(samples, size):
    frames = torch.stack(samples.chunk(size, dim=1), dim=1)
    return torch.fft.rfft(frames).abs()

# %% wrong: spectrum-of-the-whole
def my_frame_spectra(samples, size):
    spectrum = torch.fft.rfft(samples).abs()
    return spectrum.unfold(1, size // 2 + 1, size // 2 + 1)

# %% wrong: squared
def my_frame_spectra(samples, size):
    f = torch.fft.rfft(samples.unfold(-1, size, size))
    return f.real ** 2 + f.imag ** 2

# %% wrong: stft-as-it-comes
def my_frame_spectra(samples, size):
    return torch.stft(samples, size, return_complex=True).abs().transpose(1, 2)

# %% wrong: stft-centred
def my_frame_spectra(samples, size):
    return torch.stft(samples, n_fft=size, hop_length=size, return_complex=True).abs().transpose(1, 2)

# %% wrong: windowed
def my_frame_spectra(samples, size):
    frames = samples.unfold(1, size, size)
    window = torch.hann_window(size)
    return torch.fft.rfft(frames * window).abs()
