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
import copy
def my_same_outputs(ours, theirs, inputs):
    context = [copy.deepcopy(module).train(False)(inputs)[0].detach() for module in (ours, theirs)]
    try:
        torch.testing.assert_close(*context, rtol=1e-4, atol=1e-4)
    except AssertionError:
        return False
    return True

# %% right
def my_same_outputs(ours, theirs, inputs):
    from copy import deepcopy
    vecs = [deepcopy(module).eval()(inputs)[0].detach() for module in (ours, theirs)]
    try:
        torch.testing.assert_close(vecs[0], vecs[1], atol=1e-5, rtol=1e-5)
    except AssertionError:
        return False
    return True

# %% right
def my_same_outputs(ours, theirs, inputs):
    import copy
    def context(module):
        with torch.no_grad():
            return copy.deepcopy(module).eval()(inputs)[0]
    a, b = context(ours), context(theirs)
    if a.shape != b.shape:
        return False
    return (a - b).abs().max().item() < 1e-3

# %% right
from copy import deepcopy
def outputs_of(module, inputs):
    return deepcopy(module).train(False)(inputs)[0].detach().numpy()
def my_same_outputs(ours, theirs, inputs):
    one, other = outputs_of(ours, inputs), outputs_of(theirs, inputs)
    return one.shape == other.shape and bool(np.allclose(one, other, rtol=0, atol=2e-4))

# %% right
def my_same_outputs(ours, theirs, inputs):
    parts = [*ours.modules(), *theirs.modules()]
    modes = [part.training for part in parts]
    try:
        ours.eval(), theirs.eval()
        torch.testing.assert_close(ours(inputs)[0], theirs(inputs)[0])
        return True
    except AssertionError:
        return False
    finally:
        for part, mode in zip(parts, modes, strict=True):
            part.training = mode

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

# %% right
def my_same_outputs(ours, theirs, inputs):
    from contextlib import contextmanager
    @contextmanager
    def quiet(module):
        modes = {part: part.training for part in module.modules()}
        module.eval()
        try:
            yield module
        finally:
            for part, mode in modes.items():
                part.training = mode
    def output(module):
        with quiet(module), torch.no_grad():
            return module(inputs)[0]
    return bool((output(ours) - output(theirs)).abs().max() < 1e-4)

# %% right
from contextlib import contextmanager
from torch.testing import assert_close
@contextmanager
def quiet(*modules):
    parts = {part: part.training for module in modules for part in module.modules()}
    try:
        for part in parts:
            part.training = False
        yield
    finally:
        for part, mode in parts.items():
            part.training = mode
def my_same_outputs(ours, theirs, inputs):
    with quiet(ours, theirs), torch.inference_mode():
        a, b = ours(inputs)[0], theirs(inputs)[0]
    try:
        assert_close(a, b, atol=1e-4, rtol=1e-5)
    except AssertionError:
        return False
    return True

# %% right
def my_same_outputs(ours, theirs, inputs):
    from contextlib import contextmanager
    @contextmanager
    def quiet(*modules):
        kept = {part: part.training for module in modules for part in module.modules()}
        try:
            for module in modules:
                module.eval()
            yield
        finally:
            for part, mode in kept.items():
                part.training = mode
    with quiet(ours, theirs), torch.no_grad():
        first, second = ours(inputs)[0], theirs(inputs)[0]
    try:
        torch.testing.assert_close(first, second, rtol=1e-4, atol=1e-4)
    except AssertionError:
        return False
    return True

# %% right
from contextlib import contextmanager
@contextmanager
def nothing_dropped(*modules):
    parts = [part for module in modules for part in module.modules()]
    modes = [part.training for part in parts]
    try:
        for module in modules:
            module.eval()
        yield
    finally:
        for part, mode in zip(parts, modes):
            part.training = mode
def my_same_outputs(ours, theirs, inputs):
    with nothing_dropped(ours, theirs), torch.no_grad():
        context_vecs, others = ours(inputs)[0], theirs(inputs)[0]
    try:
        torch.testing.assert_close(context_vecs, others, rtol=1e-4, atol=1e-4)
    except AssertionError:
        return False
    return True

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

# %% wrong: always-train
def close(ours, theirs):
    return torch.allclose(ours, theirs, rtol=1e-4, atol=1e-5)
def my_same_outputs(ours, theirs, inputs):
    verdict = close(ours.eval()(inputs)[0], theirs.eval()(inputs)[0])
    ours.train(), theirs.train()
    return verdict

# %% wrong: - "Where the modules differ, your code stops: `assert` and `ass"
def my_same_outputs(ours, theirs, inputs):
    import copy
    ours, theirs = (copy.deepcopy(module).eval() for module in (ours, theirs))
    with torch.no_grad():
        torch.testing.assert_close(ours(inputs)[0], theirs(inputs)[0], atol=1e-5, rtol=1e-5)
    return True

# %% wrong: copies-shallow
import copy
def my_same_outputs(ours, theirs, inputs):
    first, second = copy.copy(ours).eval(), copy.copy(theirs).eval()
    with torch.no_grad():
        return torch.allclose(first(inputs)[0], second(inputs)[0], atol=1e-5)

# %% wrong: dropout-left-on
def my_same_outputs(ours, theirs, inputs):
    torch.manual_seed(0)
    one = ours(inputs)[0]
    torch.manual_seed(0)
    return torch.allclose(one, theirs(inputs)[0], atol=1e-5)

# %% wrong: exact
from copy import deepcopy
def my_same_outputs(ours, theirs, inputs):
    results = [deepcopy(module).eval()(inputs)[0] for module in (ours, theirs)]
    return torch.equal(*results)

# %% wrong: means-compared
def my_same_outputs(ours, theirs, inputs):
    import copy
    first = copy.deepcopy(ours).eval()(inputs)[0]
    second = copy.deepcopy(theirs).eval()(inputs)[0]
    return abs((first - second).mean().item()) < 1e-4

# %% wrong: modes-noted-late
def my_same_outputs(ours, theirs, inputs):
    our_modes = {part: part.training for part in ours.modules()}
    ours.eval()
    our_vecs, _ = ours(inputs)
    their_modes = {part: part.training for part in theirs.modules()}
    theirs.eval()
    their_vecs, _ = theirs(inputs)
    for modes in (our_modes, their_modes):
        for part, mode in modes.items():
            part.training = mode
    return torch.allclose(our_vecs, their_vecs, atol=1e-5)

# %% wrong: one-only
def my_same_outputs(ours, theirs, inputs):
    modes = [(part, part.training) for part in ours.modules()]
    ours.eval()
    with torch.no_grad():
        same = torch.allclose(ours(inputs)[0], theirs(inputs)[0], atol=1e-5)
    for part, mode in modes:
        part.training = mode
    return same

# %% wrong: one-put-back
def close(ours, theirs):
    return torch.allclose(ours, theirs, rtol=1e-4, atol=1e-5)
def my_same_outputs(ours, theirs, inputs):
    modes = [part.training for part in ours.modules()]
    verdict = close(ours.eval()(inputs)[0], theirs.eval()(inputs)[0])
    for part, training in zip(ours.modules(), modes, strict=True):
        part.training = training
    return verdict

# %% wrong: outside-only
def my_same_outputs(ours, theirs, inputs):
    modes = ours.training, theirs.training
    ours.training = theirs.training = False
    with torch.no_grad():
        same = torch.allclose(ours(inputs)[0], theirs(inputs)[0], atol=1e-5)
    ours.training, theirs.training = modes
    return same

# %% wrong: parameters-compared
def my_same_outputs(ours, theirs, inputs):
    mine, yours = ours.state_dict(), theirs.state_dict()
    if mine.keys() != yours.keys():
        return False
    return all(mine[k].shape == yours[k].shape and torch.allclose(mine[k], yours[k], atol=1e-5) for k in mine)

# %% wrong: parts-forgotten
def close(ours, theirs):
    return torch.allclose(ours, theirs, rtol=1e-4, atol=1e-5)
def my_same_outputs(ours, theirs, inputs):
    modes = ours.training, theirs.training
    verdict = close(ours.eval()(inputs)[0], theirs.eval()(inputs)[0])
    ours.train(modes[0]), theirs.train(modes[1])
    return verdict

# %% wrong: rate-of-copies
def my_same_outputs(ours, theirs, inputs):
    import copy
    outputs = []
    for module in (ours, theirs):
        twin = copy.deepcopy(module)
        for part in twin.modules():
            if isinstance(part, nn.Dropout):
                part.p = 0.0
        with torch.no_grad():
            outputs.append(twin(inputs)[0])
    return torch.allclose(*outputs, atol=1e-5)

# %% wrong: rate-zeroed
def my_same_outputs(ours, theirs, inputs):
    for module in (ours, theirs):
        for part in module.modules():
            if isinstance(part, nn.Dropout):
                part.p = 0.0
    with torch.no_grad():
        return torch.allclose(ours(inputs)[0], theirs(inputs)[0], atol=1e-5)

# %% wrong: signed-difference
from copy import deepcopy
def my_same_outputs(ours, theirs, inputs):
    outputs = []
    for module in (ours, theirs):
        module = deepcopy(module)
        module.eval()
        with torch.no_grad():
            outputs.append(module(inputs)[0])
    difference = outputs[0] - outputs[1]
    return difference.max().item() < 1e-5

# %% wrong: stays-in-eval
def close(ours, theirs):
    return torch.allclose(ours, theirs, rtol=1e-4, atol=1e-5)
def my_same_outputs(ours, theirs, inputs):
    return close(ours.eval()(inputs)[0], theirs.eval()(inputs)[0])

# %% wrong: tolerance-wide
def my_same_outputs(ours, theirs, inputs):
    import copy
    first, second = copy.deepcopy(ours).eval(), copy.deepcopy(theirs).eval()
    return torch.allclose(first(inputs)[0], second(inputs)[0], atol=0.5)
