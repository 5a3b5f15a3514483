# %% right
def my_tempered_softmax(scores, temperature):
    if temperature <= 0:
        raise ValueError(temperature)
    return torch.log_softmax(torch.div(scores, temperature), -1).exp()

# %% right
def my_tempered_softmax(scores, temperature):
    if temperature <= 0:
        raise ValueError(f"got {temperature}")
    rows = (scores / temperature).reshape(-1, scores.shape[-1])
    return torch.stack([torch.softmax(row, dim=0) for row in rows]).reshape(scores.shape)

# %% right
class TemperatureError(ValueError):
    pass
def checked(temperature):
    if temperature > 0:
        return temperature
    raise TemperatureError(f"the temperature must be larger than zero; received {temperature!r}")
def my_tempered_softmax(scores, temperature):
    return F.softmax(scores * (1 / checked(temperature)), dim=-1)

# %% right
def _positive(t):
    if t <= 0:
        raise ValueError("temperature has to be positive; received: {!r}".format(t))
    return t
def my_tempered_softmax(scores, temperature):
    cooled = scores * (1.0 / _positive(temperature))
    exps = torch.exp(cooled - cooled.amax(dim=-1, keepdim=True))
    return exps / exps.sum(dim=-1, keepdim=True)

# %% wrong: no-check
def my_tempered_softmax(scores, temperature):
    t = temperature if temperature > 0 else 1.0
    return attention.softmax(scores / t)
