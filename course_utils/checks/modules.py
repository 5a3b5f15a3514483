"""Exercises whose answer is an nn.Module class, and the behaviours that such an answer must have.

The class is instantiated in several sizes, its instances get the same weights as the solution, by name, and are called.
"""

import functools
import inspect

import torch
from torch import nn

from . import outcome
from .behaviours import agree, backward, gradient_flows, on_gradients
from .draw import Draw
from .exercise import Exercise
from .sentences import as_code, sentence

MISSING = (
    "The layers have other names than those asked for, or were never made. Weights are copied by name: in `__init__`, "
    "make {layers} with `nn.Linear`."
)
IN_A_LIST = (
    "Your layers lie in a Python list or dict. PyTorch does not look into those: no parameters are found, and nothing "
    "trains. Give each a name on `self`, or use `nn.ModuleList`."
)
OF_THE_NOTEBOOK = (
    "`{layer}` without `self.` is a variable of the notebook. A layer of your own is made in `__init__`, as "
    "`self.{layer} = …`, and used in `forward` as `self.{layer}`."
)
STATE_LEAK = (
    "A second call gives something of the first: your `forward` keeps a result on `self` and uses it again. Keep what "
    "belongs to one call in plain variables."
)
DROPOUT_ADDED = "In training mode other numbers come out. Nothing here asks for that: no dropout, no `self.training`."
MASK_SHRINKS = (
    "After a short text, a longer one no longer fits: your `forward` cuts the mask, or makes one, for this text, and "
    "keeps it on `self`. Give it a plain name: `mask = self.…[:num_tokens, :num_tokens]`."
)


class ModuleExercise(Exercise):
    """An exercise whose answer is an nn.Module class.

    cases: yields (label, sizes, *inputs); the class is called with *sizes, and its instance with *inputs. The other
    arguments are those of Exercise.
    """

    def __init__(self, solution, cases, mistakes="", *, behaviours=None, hints=None, **options):
        options |= {"behaviours": BEHAVIOURS if behaviours is None else behaviours}
        options |= {"hints": HINTS if hints is None else hints}
        super().__init__(solution, cases, mistakes, observe=self._call, **options)

    def on_leaks(self, names: list[str]) -> str:
        """Return the message on an answer that reads variables of the notebook: one named as a layer lacks `self`."""
        layers = {name.partition(".")[0] for name, _ in self.solution(*self.inputs[0].args[0]).named_parameters()}
        if own := [name for name in names if name in layers]:
            return sentence(OF_THE_NOTEBOOK, layer=own[0])
        return super().on_leaks(names)

    def _call(self, answer: type, sizes: tuple, *inputs):
        return self.instance(answer, sizes, inputs[0].dtype)(*inputs)

    def instance(self, answer: type, sizes: tuple, dtype=torch.float32) -> nn.Module:
        """Return answer(*sizes) in eval mode, its layers filled with the solution's weights, which are always the same.

        Biases that the solution lacks are 0. dtype: of the parameters. Errors: outcome.Refused, with a message for the
        learner, if one of the solution's layers is missing, does not fit, or is the same object as another.
        """
        with torch.random.fork_rng(devices=[]):
            torch.default_generator.manual_seed(0)  # so that layers that nobody asked for are the same each time
            model, weights = self.made(answer, sizes).to(dtype), _weights(self.solution, sizes, dtype)
        layers, filled = dict.fromkeys(name.rpartition(".")[0] for name in weights), {}
        with torch.no_grad():
            for name, values in weights.items():
                layer, _, kind = name.rpartition(".")
                target = self._parameter(model, layer, kind, values.shape, layers)
                same_layer = filled.setdefault(id(target), layer)
                if same_layer != layer:
                    template = "`self.{other}` and `self.{layer}` are one and the same layer. Make one for each."
                    raise outcome.Refused(template, other=same_layer, layer=layer)
                target.copy_(values)
            for name, parameter in model.named_parameters():
                if name.endswith(".bias") and id(parameter) not in filled:
                    parameter.zero_()  # random ones would differ between instances
        return model.eval()

    def made(self, answer: type, sizes: tuple) -> nn.Module:
        """Return answer(*sizes); if the class takes the solution's parameters in another order, pass sizes by name."""
        ours, names = list(inspect.signature(answer).parameters), self._size_names
        if ours != names and set(ours) == set(names):
            return answer(**dict(zip(names, sizes, strict=False)))
        return answer(*sizes)

    @functools.cached_property
    def _size_names(self) -> list[str]:
        return list(inspect.signature(self.solution).parameters)

    def _parameter(self, model: nn.Module, layer: str, kind: str, shape, layers) -> nn.Parameter:
        """Return the weight or bias, `kind`, of a layer. Errors: Refused if it is missing or does not fit."""
        try:
            submodule = model.get_submodule(layer)
        except AttributeError:
            if isinstance(getattr(model, layer, None), nn.Parameter):
                template = "`self.{layer}` is an `nn.Parameter`. A layer is asked for: `nn.Linear`, which holds one."
                raise outcome.Refused(template, layer=layer) from None
            if _keeps_layers_in_a_list(model):
                raise outcome.Refused(IN_A_LIST) from None
            raise outcome.Refused(MISSING, layers=as_code(f"self.{layer}" for layer in layers)) from None
        target = getattr(submodule, kind, None)
        if target is None:
            raise outcome.Refused("`{layer}` should be an `nn.Linear` with a {kind}.", layer=layer, kind=kind)
        if not isinstance(submodule, nn.Linear):
            raise outcome.Refused("`{layer}` should be an `nn.Linear`.", layer=layer)
        if target.shape != shape:
            template = "`{layer}.{kind}` has the shape `{ours}`, and needs `{needed}`."
            if target.shape == shape[::-1]:
                template = (
                    "`{layer}.{kind}` has the shape `{ours}`, and needs `{needed}`: `nn.Linear` takes the width that "
                    "comes in first, then the one that goes out."
                )
            raise outcome.Refused(template, layer=layer, kind=kind, ours=tuple(target.shape), needed=tuple(shape))
        return target


@functools.cache
def _weights(solution: type, sizes: tuple, dtype) -> dict:
    """Return fixed random numbers for each parameter of solution(*sizes), by name; {} if that raises ValueError."""
    try:
        parameters = dict(solution(*sizes).named_parameters())
    except ValueError:
        return {}
    draw = Draw(seed=3)
    return {name: draw(*parameter.shape, dtype=dtype) for name, parameter in parameters.items()}


def _keeps_layers_in_a_list(model: nn.Module) -> bool:
    parts = [part for name, part in vars(model).items() if not name.startswith("_")]
    parts = [list(part.values()) if isinstance(part, dict) else part for part in parts]
    return any(isinstance(layer, nn.Module) for part in parts if isinstance(part, list | tuple) for layer in part)


def only_its_parameters(exercise, answer: type):
    """Yield one ("extra-parameter", message) if the answer's model has parameters that the solution's has not."""
    sizes = exercise.case(0).args[0]
    model = exercise.instance(answer, sizes)
    wanted = {id(model.get_parameter(name)) for name, _ in exercise.solution(*sizes).named_parameters()}
    # compare by identity, since a parameter can have several names
    extra = [name for name, parameter in model.named_parameters() if id(parameter) not in wanted]
    if extra and all(name.endswith(".bias") for name in extra):
        yield "extra-bias", "Your layers add a bias, and none is asked for: `nn.Linear(d_in, d_out, bias=False)`."
    elif extra:
        template = (
            "`self.{name}` is a parameter: training would change it. What is not to be trained is a plain number, or a "
            "tensor given to `self.register_buffer`."
        )
        yield "extra-parameter", sentence(template, name=extra[0])


def no_stray_tensors(exercise, answer: type):
    """Yield ("mask-not-buffer", message) for each plain tensor that the answer's model keeps as an attribute."""
    template = (
        "`self.{name}` is a plain tensor: it stays behind when the module moves to another device. Use "
        '`self.register_buffer("{name}", …)`.'
    )
    model = exercise.instance(answer, exercise.case(0).args[0])
    for name, value in (attribute for module in model.modules() for attribute in vars(module).items()):
        if torch.is_tensor(value) and value.dim() > 0 and not value.requires_grad:
            yield "mask-not-buffer", sentence(template, name=name)


def keeps_nothing(exercise, answer: type):
    """Yield ("state-leak", message) if what a call of the answer's model returns depends on an earlier call."""
    sizes, *first = exercise.case(0).args
    model = exercise.instance(answer, sizes)
    fresh = _numbers(exercise, model(*first))
    second = [torch.flip(tensor, dims=(-2,)) * 0.5 for tensor in first]
    after = _numbers(exercise, model(*second))
    expected = _numbers(exercise, exercise.instance(answer, sizes)(*second))
    if not _all_close(after, expected) or not _all_close(fresh, _numbers(exercise, model(*first))):
        yield "state-leak", STATE_LEAK


def keeps_its_mask(exercise, answer: type):
    """Yield ("mask-shrinks", message) if the answer's model, called on two tokens of an input, then fails on all."""
    sizes, x = exercise.case(0).args
    model = exercise.instance(answer, sizes)
    model(x[..., :2, :])
    try:
        model(x)
    except (RuntimeError, ValueError, IndexError):
        yield "mask-shrinks", MASK_SHRINKS


def the_same_in_training(exercise, answer: type):
    """Yield ("dropout-added", message) if training mode changes the results of the answer, but not of the solution."""
    sizes, *inputs = exercise.case(0).args
    models = [exercise.instance(which, sizes).train() for which in (answer, exercise.solution)]
    ours, theirs = (_numbers(exercise, model(*inputs)) for model in models)
    if _all_close(theirs, exercise.expected[0].tensors) and not _all_close(ours, theirs):
        yield "dropout-added", DROPOUT_ADDED


def parameters_learn(exercise, answer: type):
    """Yield ("detached", message) if a parameter of the answer's model gets another gradient than the solution's."""
    sizes, *inputs = exercise.case(0).args
    ours, theirs = (exercise.instance(which, sizes) for which in (answer, exercise.solution))
    for model in (ours, theirs):
        backward(outcome.as_tensors(model(*inputs), exercise.outputs))
    for name, parameter in theirs.named_parameters():
        if not agree(ours.get_parameter(name).grad, parameter.grad):
            yield "detached", on_gradients([parameter.grad for parameter in ours.parameters()])
            return


def _numbers(exercise, value) -> list[torch.Tensor]:
    return [tensor.detach().clone() for tensor in outcome.as_tensors(value, exercise.outputs)]


def _all_close(ours: list[torch.Tensor], theirs: list[torch.Tensor]) -> bool:
    return all(map(outcome.close, ours, theirs))


BEHAVIOURS = (only_its_parameters, no_stray_tensors, keeps_nothing, the_same_in_training, parameters_learn)
HINTS = (gradient_flows,)
