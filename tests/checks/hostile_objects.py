"""Objects and tensors that raise when they are looked at, for tests of checks that must report them all the same."""

import torch


class Unreadable:
    """An object that raises on any attribute access or special method."""

    def __getattribute__(self, name):
        raise ValueError(f"no {name} here")

    def __repr__(self):
        raise ValueError("no repr here")

    __str__ = __len__ = __bool__ = __iter__ = __hash__ = __call__ = __repr__

    def __eq__(self, other):
        raise ValueError("not to be compared")


class Text(str):
    """A str whose methods raise."""

    def __getitem__(self, place):
        raise ValueError("no parts")

    __len__ = __iter__ = __format__ = encode = split = strip = __getitem__


def stops(query=None, keys=None):
    raise ValueError("within")


class Shapeless(torch.Tensor):
    """A tensor whose shape, other properties and methods raise."""

    shape = dtype = device = layout = ndim = requires_grad = property(stops)

    def __repr__(self):
        raise ValueError("no repr here")

    __eq__ = __len__ = __bool__ = __iter__ = __str__ = detach = clone = double = size = dim = item = __repr__


class Silent(torch.Tensor):
    """A tensor that raises in every torch function."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        raise ValueError("no function here")


class Later(torch.Tensor):
    """A tensor that can be copied, and raises in every other torch function."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if getattr(func, "__name__", "") in ("is_tensor", "detach", "clone", "__get__", "dim"):
            return super().__torch_function__(func, types, args, kwargs or {})
        raise ValueError("no function here")


class NoShape(torch.Tensor):
    """A tensor that can be copied, and whose shape raises."""

    @property
    def shape(self):
        raise ValueError("no shape here")


class Lazy(torch.Tensor):
    """A wrapper subclass of Tensor without data, so that every operation but detach and clone raises."""

    @staticmethod
    def __new__(cls, shape):
        return torch.Tensor._make_wrapper_subclass(cls, shape)

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        if func in (torch.ops.aten.detach.default, torch.ops.aten.clone.default):
            return args[0]
        raise ValueError("no numbers here")


class EmptyTuple(tuple):
    def __len__(self):
        raise ValueError("no length here")

    __eq__ = __iter__ = __repr__ = __getitem__ = __len__
