"""`my_frame_spectra(samples, size)`: how much of each wave there is in each frame of a sound."""

import torch

from course_utils.checks.exercise import Exercise
from course_utils.checks.form import Form
from course_utils.checks.outcome import Refused
from course_utils.lessons.arguments import TRAINABLE


def frame_spectra_solution(samples, size):
    num_frames = samples.shape[-1] // size
    whole = samples[:, : num_frames * size]  # the rest is dropped
    frames = whole.reshape(len(samples), num_frames, size)
    return torch.fft.rfft(frames).abs()  # (batch, num_frames, size // 2 + 1)


def cases(draw):
    yield "2 sounds of 20 samples, frames of 6", draw(2, 20), 6
    yield "nothing left over", draw(3, 40), 8
    yield "a frame of odd length", draw(2, 29), 5
    yield "more frames than samples in one", draw(2, 26), 3
    yield "as many sounds as frames", draw(3, 19), 5
    yield "one frame and a rest", draw(2, 11), 8
    yield "one frame", draw(2, 8), 8
    yield "a batch of one", draw(1, 17), 4


def sizes_of(answer, samples, size):
    """Call an answer with samples, (batch, num_samples), and size; return what it returns.

    size: of a frame, in samples. Errors: Refused if it returns a tensor of complex numbers.
    """
    spectra = answer(samples, size)
    if torch.is_tensor(spectra) and spectra.is_complex():
        raise Refused(
            "These are complex numbers, arrows in the plane. Their lengths are asked for, which say how much of a wave "
            "there is, and not where it begins: `.abs()`."
        )
    return spectra


MISTAKES = """
=windows:
    whole.reshape(len(samples), num_frames, size) -> whole.unfold(-1, size, size)
real-part: You kept one part of each complex number. Its length takes both: `.abs()` of the number itself.
    torch.fft.rfft(frames).abs() -> torch.fft.rfft(frames).real
    or
    torch.fft.rfft(frames).abs() -> torch.fft.rfft(frames).real.abs()
squared: These are squares, the *power* of each wave. Lengths are asked for: `.abs()` alone.
    torch.fft.rfft(frames).abs() -> torch.fft.rfft(frames).abs() ** 2
both-halves: The second half of your spectra mirrors the first, as `torch.fft.fft` gives it. Take `torch.fft.rfft`.
    torch.fft.rfft(frames).abs() -> torch.fft.fft(frames).abs()
over-the-frames: The waves run from frame to frame, over the wrong axis. The samples of a frame are the last: `dim=-1`.
    torch.fft.rfft(frames).abs() -> torch.fft.rfft(frames, dim=1).abs()
spectrum-of-the-whole: Waves are measured in the whole sound. Cut it into frames first: then each has its own.
    torch.fft.rfft(frames).abs() -> torch.fft.rfft(samples).abs()
    or
    torch.fft.rfft(frames).abs() -> torch.fft.rfft(samples).abs().unfold(1, size // 2 + 1, size // 2 + 1)
    or
    return torch.fft.rfft(frames).abs() -> waves = torch.fft.rfft(samples).abs()
        ⏎ begins = range(0, num_frames * size, size)
        ⏎ return torch.stack([waves[:, i // 2 : i // 2 + size // 2 + 1] for i in begins], dim=1)
scaled: All sizes are divided by one number, as by `norm="ortho"` or `/ size`. `rfft` as it stands is asked for.
    torch.fft.rfft(frames).abs() -> torch.fft.rfft(frames, norm="forward").abs()
frames-cut: Frames are cut before they are measured, or filled with zeros. Give `rfft` all `size` samples: no `n=`.
    torch.fft.rfft(frames).abs() -> torch.fft.rfft(frames, n=size // 2 + 1).abs()
rest-kept: What is left over does not fill a frame. Keep the whole ones: `samples[:, : num_frames * size]`.
    whole = samples[:, : num_frames * size] -> whole = samples
sizes-swapped: There are `size` frames, each `num_frames` long. It is the other way round: `(num_frames, size)`.
    reshape(len(samples), num_frames, size) -> reshape(len(samples), size, num_frames)
    or
    reshape(len(samples), num_frames, size) -> reshape(len(samples), size, num_frames).transpose(1, 2)
windowed: Frames are multiplied by a window, such as Hann's, before they are measured. Give them to `rfft` as they are.
    torch.fft.rfft(frames) -> torch.fft.rfft(frames * torch.hann_window(size))
    or
    torch.fft.rfft(frames) -> torch.fft.rfft(frames * torch.hamming_window(size))
    or
    torch.fft.rfft(frames) -> torch.fft.rfft(frames * torch.hann_window(size, periodic=False))
rest-at-the-front: Samples are dropped at the beginning. A frame begins with the first sample: cut the end.
    samples[:, : num_frames * size] -> samples[:, samples.shape[-1] - num_frames * size :]
all-dropped: Where nothing is left over, `[:, :-0]` is empty. Keep `samples[:, : num_frames * size]`.
    samples[:, : num_frames * size] -> samples[:, : -(samples.shape[-1] % size)]
    reshape(len(samples), num_frames, size) -> reshape(len(samples), -1, size)
first-frame-only: Only the first frame comes back. Cut all frames: no `n=size`, and no `return` in a loop.
    torch.fft.rfft(frames).abs() -> torch.fft.rfft(frames[:, 0]).abs()
frames-overlap: Your frames overlap. Each begins where the one before ends: `unfold(-1, size, size)`.
    whole.reshape(…) -> samples.unfold(-1, size, 1)
    or
    whole.reshape(…) -> samples.unfold(-1, size, size // 2)
batch-mixed: The frames of all sounds stand on one axis. Keep one for the sounds: `(batch, num_frames, …)`.
    whole.reshape(len(samples), num_frames, size) -> whole.reshape(-1, size)
batch-mixed: All sounds were run together before the cut. Keep their axis: `(batch, num_frames, size)`.
    whole.reshape(len(samples), num_frames, size) -> samples.flatten().unfold(0, size, size)
no-frame: There is no frame at all. Count the samples, not the sounds: `samples.shape[-1] // size` frames.
    num_frames = samples.shape[-1] // size -> num_frames = len(samples) // size
frames-joined: The spectra of a sound stand in one row. Frames have an axis: `torch.stack(…, dim=1)`.
    torch.fft.rfft(frames).abs() -> torch.fft.rfft(frames).abs().flatten(1)
fixed-size: A size is typed in that does not fit every input. Take `size`, and read the others off `samples.shape`.
    whole.reshape(…) -> samples.unfold(-1, 160, 160)
stft-centred: Frames reach out over the ends of the sound, as `torch.stft` has it unless told otherwise: `center=False`.
    torch.fft.rfft(frames).abs() -> torch.stft(samples, size, hop_length=size,
        window=torch.ones_like(samples[0, :size]), return_complex=True).abs().transpose(1, 2)
stft-as-it-comes: Frames overlap, and reach over the ends. Say `hop_length=size, center=False`.
    torch.fft.rfft(frames).abs() -> torch.stft(samples, size,
        window=torch.ones_like(samples[0, :size]), return_complex=True).abs().transpose(1, 2)
"""


def by_loop(samples, size):
    """Return, by a loop, what the solution returns: the magnitude of each frequency in each frame of sounds.

    The result is (batch, num_frames, size // 2 + 1), with no number below 0. samples: (batch, num_samples). size: of a
    frame, in samples; each frame begins where the one before ends, and a shorter rest is dropped.
    """
    spectra = []
    for start in range(0, samples.shape[-1] - size + 1, size):
        frame = samples[:, start : start + size]
        spectra.append(torch.fft.rfft(frame).abs())
    return torch.stack(spectra, dim=1)


LOOP = """
last-frame-left-out: The last whole frame is dropped: `range(0, num_samples - size + 1, size)` reaches it.
    samples.shape[-1] - size + 1, size -> samples.shape[-1] - size, size
rest-kept: Your loop takes a last, shorter piece along. Drop it: stop at `num_samples - size + 1`.
    samples.shape[-1] - size + 1, size -> samples.shape[-1], size
"""


FORMS, PARTS = (Form(__name__, "by_loop", LOOP),), ("sound", "frame", "number")
exercise = Exercise(
    frame_spectra_solution,
    cases,
    MISTAKES,
    also=FORMS,
    outputs=("spectra",),
    parts=PARTS,
    observe=sizes_of,
    **TRAINABLE,
)
