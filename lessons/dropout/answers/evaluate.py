# %% right
def my_evaluate(model, x):
    return copy.deepcopy(model).eval()(x)

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

# %% wrong: - "The result should have the shape `(3, 4)`. Yours has `()`."
my_evaluate = lambda model, x: copy.deepcopy(model).eval()(x).sum()
