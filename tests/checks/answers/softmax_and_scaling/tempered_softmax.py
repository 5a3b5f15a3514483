# %% right
def my_tempered_softmax(scores, temperature):
    if temperature <= 0:
        raise ValueError(temperature)
    return torch.log_softmax(torch.div(scores, temperature), -1).exp()

# %% right
def my_tempered_softmax(scores, temperature):
    if temperature > 0:
        return torch.log_softmax(scores / temperature, dim=-1).exp()
    raise ValueError(f"{temperature} is no temperature")

# %% right
def my_tempered_softmax(scores, temperature):
    if not temperature > 0:
        raise ValueError("temperature has to be positive but is " + str(temperature))
    return F.softmax(scores * (1 / temperature), dim=-1)

# %% right
def my_tempered_softmax(scores, temperature):
    if temperature > 0:
        return torch.nn.Softmax(dim=-1)(torch.div(scores, temperature))
    raise ValueError("temperature has to be more than 0 but was {}".format(temperature))

# %% right
def my_tempered_softmax(scores, temperature):
    if temperature <= 0:
        raise ValueError(f"got {temperature}")
    rows = (scores / temperature).reshape(-1, scores.shape[-1])
    return torch.stack([torch.softmax(row, dim=0) for row in rows]).reshape(scores.shape)

# %% right
def my_tempered_softmax(scores, temperature):
    if not temperature > 0:
        raise ValueError(f"temperature must be above 0, not {temperature}")
    exps = ((scores - scores.amax(dim=-1, keepdim=True)) / temperature).exp()
    return exps / exps.sum(dim=-1, keepdim=True)

# %% right
def my_tempered_softmax(scores, temperature):
    if temperature > 0:
        logs = torch.log_softmax(scores, dim=-1) * (1 / temperature)
        return torch.exp(logs - logs.logsumexp(-1, keepdim=True))
    raise ValueError("temperature has to be positive: received %r" % (temperature,))

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

# %% right
def require_positive(number, name):
    if number <= 0:
        raise ValueError(name + " = " + str(number) + " is zero or less")
    return number
def my_tempered_softmax(scores, temperature):
    scores = torch.div(scores, require_positive(temperature, "temperature"))
    highest, _ = scores.max(dim=-1, keepdim=True)
    e = (scores - highest).exp()
    return e / e.sum(dim=-1, keepdim=True)

# %% wrong: error-kind
def my_tempered_softmax(scores, temperature):
    assert temperature > 0, f"temperature must be positive, got {temperature}"
    return torch.softmax(scores / temperature, -1)

# %% wrong: error-returned
def my_tempered_softmax(scores, temperature):
    if temperature <= 0:
        return ValueError(f"temperature was {temperature}")
    return torch.softmax(scores / temperature, dim=-1)

# %% wrong: error-says-nothing
def my_tempered_softmax(scores, temperature):
    if not temperature > 0:
        raise ValueError("The temperature must be larger than zero.")
    return F.softmax(scores / temperature, dim=-1)

# %% wrong: floor-division
def my_tempered_softmax(scores, temperature):
    if temperature <= 0:
        raise ValueError(f"temperature must be above 0, got {temperature}")
    cooled = scores // temperature
    return torch.softmax(cooled, dim=-1)

# %% wrong: naive-overflow
def my_tempered_softmax(scores, temperature):
    if not temperature > 0:
        raise ValueError(f"bad temperature: {temperature}")
    exps = torch.exp(scores / temperature)
    return exps / exps.sum(dim=-1, keepdim=True)

# %% wrong: negative-allowed
def my_tempered_softmax(scores, temperature):
    if not temperature:
        raise ValueError(f"temperature must not be zero, got {temperature}")
    return torch.softmax(scores / temperature, dim=-1)

# %% wrong: no-check
def my_tempered_softmax(scores, temperature):
    t = temperature if temperature > 0 else 1.0
    return attention.softmax(scores / t)

# %% wrong: powers
def my_tempered_softmax(scores, temperature):
    if not temperature > 0:
        raise ValueError(f"temperature was {temperature}, should be positive")
    p = torch.softmax(scores, dim=-1)
    return p ** (1 / temperature)

# %% wrong: scale-after
def my_tempered_softmax(scores, temperature):
    if temperature <= 0:
        raise ValueError(f"temperature must be above 0, got {temperature}")
    return attention.softmax(scores) / temperature

# %% wrong: scale-inverted
def my_tempered_softmax(scores, temperature):
    if temperature <= 0:
        raise ValueError(f"temperature must be above 0, got {temperature}")
    return torch.softmax(scores * temperature, dim=-1)

# %% wrong: scale-root
def my_tempered_softmax(scores, temperature):
    if temperature <= 0:
        raise ValueError(f"temperature {temperature} makes no sense")
    return attention.softmax(scores / temperature**0.5)

# %% wrong: small-refused
def my_tempered_softmax(scores, temperature):
    if temperature < 1:
        raise ValueError(f"got temperature {temperature}")
    return attention.softmax(scores / temperature)

# %% wrong: softmax-first-axis
def my_tempered_softmax(scores, temperature):
    if temperature <= 0:
        raise ValueError(f"bad temperature: {temperature}")
    return F.softmax(scores / temperature, dim=0)

# %% wrong: zero-allowed
def my_tempered_softmax(scores, temperature):
    if temperature < 0:
        raise ValueError(f"got temperature {temperature}")
    return attention.softmax(scores / temperature)
