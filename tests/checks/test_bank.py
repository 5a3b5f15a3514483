"""The bank of wrong answers is whole: every mistake that the course speaks of is told apart in some exercise."""

from course_utils import checks

MISCONCEPTIONS = set(
    """
    softmax-axis softmax-all sum-normalise naive-overflow
    no-scale scale-model scale-no-root scale-after scale-wrong-axis
    keys-not-transposed qk-swapped v-unprojected weights-on-keys linear-layout
    mask-inverted mask-off-by-one mask-lower masks-ored mask-after-softmax mask-added-01 mask-zero-fill
    mask-normalised mask-in-place mask-not-sliced mask-not-buffer pad-over-queries all-masked-nan all-masked-uniform
    dropout-no-rescale dropout-in-eval dropout-before-softmax dropout-on-output
    view-no-transpose merge-no-transpose merge-discarded split-tokens head-count-dim not-divisible no-out-proj
    shared-heads first-head-only batch-mixed seq-batch-swapped lens-repeat heads-in-list stack-for-cat
    values-from-queries weights-transposed weights-averaged sdpa-polarity cross-from-queries global-leak detached
    """.split()
)


def test_every_misconception_is_a_wrong_answer_somewhere():
    known = {mistake.id for exercise in checks.all().values() for mistake in exercise.bank}
    assert len(MISCONCEPTIONS) == 53
    assert MISCONCEPTIONS <= known


def test_there_is_enough_to_practise():
    exercises = {number: len(group) for number, group in checks.by_notebook().items()}
    assert sum(exercises[f"{number:02}"] for number in range(1, 9)) >= 30
    assert sum(exercises[f"{number:02}"] for number in range(4, 9)) >= 18
    assert min(exercises[number] for number in ("04", "06", "07")) >= 3
    assert exercises["11"] == 10


def test_functions_and_classes_of_attention_know_a_dozen_mistakes():
    for name, exercise in checks.all().items():
        if "attn_weights" in exercise.outputs or "context_vecs" in exercise.outputs:
            assert len(exercise.mistakes) >= 12, name
