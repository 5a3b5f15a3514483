# %% right
def my_frame_spectra(samples, size):
    return torch.abs(torch.fft.rfft(samples.unfold(1, size, size)))

# %% right
def my_frame_spectra(samples, size):
    n = samples.size(1) // size
    return torch.fft.fft(samples[:, :n * size].view(-1, n, size)).abs()[:, :, :size // 2 + 1]

# %% right
def my_frame_spectra(samples, size):
    waves = torch.stft(
        samples, size, size, window=torch.ones(size, dtype=samples.dtype), center=False, return_complex=True
    )
    return waves.abs().mT

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

# %% wrong: - "In your spectra, only the first sound came back. Look for th"
def my_frame_spectra(samples, size):
    frames = samples[0].unfold(0, size, size)
    return torch.fft.rfft(frames).abs()

# %% wrong: - "In your spectra, only the last frame came back. Look for the"
def my_frame_spectra(samples, size):
    for start in range(0, samples.shape[1] - size + 1, size):
        out = torch.fft.rfft(samples[:, start:start + size]).abs()
    return out

# %% wrong: - "These are complex numbers, arrows in the plane. Their length"
my_frame_spectra = lambda samples, size: torch.fft.rfft(samples.unfold(1, size, size))

# %% wrong: over-the-frames + sizes-swapped
def my_frame_spectra(samples, size):
    n = samples.shape[1] // size
    frames = samples[:, :n * size].reshape(samples.shape[0], size, n)
    return torch.fft.rfft(frames, dim=1).abs()
