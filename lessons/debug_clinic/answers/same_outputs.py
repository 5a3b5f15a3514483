# %% right
def my_same_outputs(ours, theirs, inputs):
    results = [copy.deepcopy(module).eval()(inputs)[0] for module in (ours, theirs)]
    return torch.allclose(*results, atol=1e-5)

# %% right
def my_same_outputs(ours, theirs, inputs):
    ours, theirs = copy.deepcopy(ours).eval(), copy.deepcopy(theirs).eval()
    return ((ours(inputs)[0] - theirs(inputs)[0]).abs() < 1e-4).all()

# %% right
import copy
def my_same_outputs(ours, theirs, inputs):
    def outputs(module):
        twin = copy.deepcopy(module).train(False)
        return twin(inputs)[0].detach()
    return bool((outputs(ours) - outputs(theirs)).abs().max() < 1e-3)

# %% right
from contextlib import contextmanager
@contextmanager
def calm(*modules):
    modes = [(part, part.training) for module in modules for part in module.modules()]
    try:
        for part, _ in modes:
            part.training = False
        yield
    finally:
        for part, mode in modes:
            part.training = mode
def my_same_outputs(ours, theirs, inputs):
    with calm(ours, theirs), torch.no_grad():
        gap = (ours(inputs)[0] - theirs(inputs)[0]).abs().max()
    return gap.item() < 1e-4

# %% wrong: - "Afterwards, `ours` has `training=False`, and came with `trai"
def my_same_outputs(ours, theirs, inputs):
    modes = {}
    for module in (ours, theirs):
        for name, part in module.named_modules():
            modes[name] = part.training
        module.eval()
    with torch.no_grad():
        difference = ours(inputs)[0] - theirs(inputs)[0]
    for module in (ours, theirs):
        for name, part in module.named_modules():
            part.training = modes[name]
    return bool(difference.abs().max() < 1e-4)

# %% wrong: - "Where the modules differ, your code stops: `assert` and `ass"
def my_same_outputs(ours, theirs, inputs):
    import copy
    ours, theirs = (copy.deepcopy(module).eval() for module in (ours, theirs))
    with torch.no_grad():
        torch.testing.assert_close(ours(inputs)[0], theirs(inputs)[0], atol=1e-5, rtol=1e-5)
    return True
