# %% right
def my_evaluate(model, x):
    return copy.deepcopy(model).eval()(x)

# %% right
def my_evaluate(model, x):
    trained = {module for module in model.modules() if module.training}
    try:
        return model.eval()(x)
    finally:
        for module in model.modules():
            module.training = module in trained

# %% right
def my_evaluate(model, x):
    modes = {name: part.training for name, part in model.named_modules()}
    try:
        model.train(False)
        return model(x)
    finally:
        for name, part in model.named_modules():
            part.training = modes[name]

# %% right
def my_evaluate(model, x):
    before = [(part, part.training) for part in model.modules()]
    def restore():
        for part, mode in before:
            part.train(mode)
    try:
        answer = model.eval()(x)
    except BaseException:
        restore()
        raise
    restore()
    return answer

# %% right
def _modes(module, found):
    found.append((module, module.training))
    for child in module.children():
        _modes(child, found)
    return found
def my_evaluate(model, x):
    found = _modes(model, [])
    try:
        return model.eval()(x)
    finally:
        for module, mode in found:
            module.training = mode

# %% right
import contextlib
@contextlib.contextmanager
def eval_mode(model):
    modes = {part: part.training for part in model.modules()}
    model.eval()
    try:
        yield model
    finally:
        for part in modes:
            part.training = modes[part]
def my_evaluate(model, x):
    with eval_mode(model) as quiet:
        return quiet(x)

# %% right
def my_evaluate(model, x):
    modes = [part.training for part in model.modules()]
    def put_back():
        for part, mode in zip(model.modules(), modes):
            setattr(part, "training", mode)
    model.eval()
    try:
        result = model(x)
    except BaseException:
        put_back()
        raise
    put_back()
    return result

# %% right
def my_evaluate(model, x):
    trained = [part for part in model.modules() if part.training]
    for part in trained:
        part.training = False
    try:
        with torch.no_grad():
            result = model(x)
    except Exception:
        raise
    finally:
        for part in trained:
            part.training = True
    return result

# %% right
from contextlib import contextmanager
@contextmanager
def in_eval_mode(model):
    before = [(part, part.training) for part in model.modules()]
    model.eval()
    try:
        yield model
    finally:
        for part, mode in before:
            part.train(mode)
def my_evaluate(model, x):
    with in_eval_mode(model) as quiet:
        return quiet(x)

# %% right
def my_evaluate(model, x):
    from contextlib import contextmanager
    @contextmanager
    def resting(module):
        busy = [part for part in module.modules() if part.training]
        module.eval()
        try:
            yield module
        finally:
            for part in busy:
                part.training = True
    with resting(model) as still:
        return still(x)

# %% wrong: - "The result should have the shape `(3, 4)`. Yours has `()`."
my_evaluate = lambda model, x: copy.deepcopy(model).eval()(x).sum()

# %% wrong: always-train
def my_evaluate(model, x):
    result = model.eval()(x)
    model.train()
    return result

# %% wrong: called-in-training
def my_evaluate(model, x):
    result = model(x)
    modes = [part.training for part in model.modules()]
    model.eval()
    try:
        result = model(x)
        return result
    finally:
        for part, mode in zip(model.modules(), modes):
            part.training = mode

# %% wrong: dropout-layers-only
def my_evaluate(model, x):
    layers = [m for m in model.modules() if isinstance(m, nn.Dropout)]
    modes = [m.training for m in layers]
    try:
        for m in layers:
            m.eval()
        return model(x)
    finally:
        for m, mode in zip(layers, modes):
            m.training = mode

# %% wrong: first-level-only
def my_evaluate(model, x):
    before = {child: child.training for child in [model, *model.children()]}
    model.eval()
    try:
        return model(x)
    finally:
        for child, mode in before.items():
            child.training = mode

# %% wrong: flag-only
def my_evaluate(model, x):
    mode = model.training
    model.training = False
    try:
        return model(x)
    finally:
        model.training = mode

# %% wrong: frozen
def my_evaluate(model, x):
    modes = [part.training for part in model.modules()]
    model.eval()
    model.requires_grad_(False)
    try:
        return model(x)
    finally:
        for part, mode in zip(model.modules(), modes):
            part.training = mode

# %% wrong: modes-misplaced
def my_evaluate(model, x):
    was = [part.training for part in model.modules()]
    model.eval()
    with torch.no_grad():
        try:
            result = model(x)
        finally:
            for i, part in enumerate(model.children()):
                part.training = was[i]
    return result

# %% wrong: no-eval
def my_evaluate(model, x):
    with torch.no_grad():
        return model(x)

# %% wrong: not-after-any-error
def my_evaluate(model, x):
    def restore():
        for m, flag in modes:
            m.training = flag
    modes = [(m, m.training) for m in model.modules()]
    model.eval()
    try:
        y = model(x)
    except ValueError:
        restore()
        raise
    restore()
    return y

# %% wrong: not-after-error
def my_evaluate(model, x):
    modes = [part.training for part in model.modules()]
    model.eval()
    out = model(x)
    for part, mode in zip(model.modules(), modes):
        part.training = mode
    return out

# %% wrong: one-mode-a-class
def my_evaluate(model, x):
    modes = {}
    for module in model.modules():
        modes[type(module).__name__] = module.training
    try:
        model.eval()
        return model(x)
    finally:
        for module in model.modules():
            module.training = modes[type(module).__name__]

# %% wrong: only-after-error
# if it fails put the modes back (in the good case return comes first)
def my_evaluate(model, x):
    modes = [part.training for part in model.modules()]
    model.eval()
    try:
        return model(x)
    except Exception:
        for part, mode in zip(model.modules(), modes):
            part.training = mode
        raise

# %% wrong: parts-forgotten
def my_evaluate(model, x):
    training = model.training
    result = model.eval()(x)
    model.train(training)
    return result

# %% wrong: stays-in-eval
def my_evaluate(model, x):
    return model.eval()(x)
