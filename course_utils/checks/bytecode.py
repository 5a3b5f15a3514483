"""The expression at which a function stopped, put together again from its bytecode: for code without a source.

Only straight steps are followed. Where a jump lies inside the expression (`a if b else c`, `and`), none is found.
"""

import ast
import dis

UNSEEN = ast.Name("…")  # a part that was made in some other way
NAMES = {"LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF", "LOAD_CLASSDEREF"}
IGNORED = {"RESUME", "NOP", "CACHE", "PUSH_NULL", "PRECALL", "COPY_FREE_VARS", "MAKE_CELL", "EXTENDED_ARG", "TO_BOOL"}
ENDS = {"STORE_FAST", "STORE_NAME", "STORE_GLOBAL", "STORE_DEREF", "POP_TOP", "RETURN_VALUE"}
UNARY = {"UNARY_NEGATIVE": ast.USub, "UNARY_INVERT": ast.Invert, "UNARY_NOT": ast.Not}


def expression(code, lasti):
    """The expression that was worked on at an instruction, as a node of `ast`, or None."""
    stack, sound, names = [], True, ()
    steps = list(dis.get_instructions(code))
    for place, step in enumerate(steps):
        here = step.offset <= lasti < steps[place + 1].offset if place + 1 < len(steps) else True
        if here and not sound:
            return None
        if here and step.opname == "UNPACK_SEQUENCE":
            targets = [ast.Name(str(after.argval)) for after in steps[place + 1 : place + 1 + step.argval]]
            return ast.Assign([ast.Tuple(targets)], _pop(stack), lineno=0)
        if here and (step.opname in ("GET_ITER", "TO_BOOL") or "_IF_" in step.opname):
            return _pop(stack)
        if step.opname == "KW_NAMES":
            names = code.co_consts[step.arg]
        elif step.opname in ENDS:
            (_pop(stack) if sound else stack.clear())
            sound = True
        elif sound:
            sound = _follow(step, stack, names)
            names = () if step.opname == "CALL" else names
        if here:
            return stack[-1] if sound and stack else None
        if step.opname.startswith("STORE_"):
            stack.clear()
    return None


def _pop(stack, count=None):
    taken = [stack.pop() if stack else UNSEEN for _ in range(1 if count is None else count)][::-1]
    return taken[0] if count is None else taken


def _follow(step, stack, names):
    """Do to the stack what one instruction does; returns whether the stack is still known."""
    name, argument = step.opname, step.argval
    if name in IGNORED:
        return True
    if name in NAMES:
        made = ast.Name(argument)
    elif name == "LOAD_FAST_LOAD_FAST":
        stack.append(ast.Name(argument[0]))
        made = ast.Name(argument[1])
    elif name == "LOAD_CONST":
        made = _constant(argument)
    elif name in ("LOAD_ATTR", "LOAD_METHOD"):
        made = ast.Attribute(_pop(stack), argument)
    elif name == "BINARY_OP":
        left, right = _pop(stack, 2)
        op = ast.parse(f"a {step.argrepr.rstrip('=')} b", mode="eval").body.op
        made = ast.AugAssign(left, op, right) if step.argrepr.endswith("=") else ast.BinOp(left, op, right)
    elif name == "COMPARE_OP":
        left, right = _pop(stack, 2)
        made = ast.Compare(left, ast.parse(f"a {argument} b", mode="eval").body.ops, [right])
    elif name == "BINARY_SUBSCR":
        made = ast.Subscript(*_pop(stack, 2))
    elif name == "BUILD_SLICE":
        made = ast.Slice(*(None if _is_none(part) else part for part in _pop(stack, argument)))
    elif name in ("BUILD_TUPLE", "BUILD_LIST"):
        made = (ast.Tuple if name == "BUILD_TUPLE" else ast.List)(_pop(stack, argument))
    elif name in UNARY:
        made = ast.UnaryOp(UNARY[name](), _pop(stack))
    elif name in ("CALL", "CALL_KW"):
        names = [part.value for part in _pop(stack).elts] if name == "CALL_KW" else names
        args = _pop(stack, step.arg)
        plain = len(args) - len(names)
        keywords = [ast.keyword(key, part) for key, part in zip(names, args[plain:], strict=True)]
        made = ast.Call(_pop(stack), args[:plain], keywords)
    elif name == "STORE_ATTR":
        made = ast.Assign([ast.Attribute(_pop(stack), argument)], _pop(stack), lineno=0)
    elif name == "STORE_SUBSCR":
        what, base, index = _pop(stack, 3)
        made = ast.Assign([ast.Subscript(base, index)], what, lineno=0)
    else:
        if name.startswith("POP_JUMP"):
            _pop(stack)
        empty = not stack  # a jump between two statements leaves nothing behind
        stack.clear()
        return empty and "JUMP" in name and "OR_POP" not in name
    stack.append(made)
    return True


def _constant(value):
    if isinstance(value, tuple):
        return ast.Tuple([_constant(part) for part in value])
    return ast.UnaryOp(ast.USub(), ast.Constant(-value)) if _is_below_zero(value) else ast.Constant(value)


def _is_below_zero(value):
    return isinstance(value, int | float) and value < 0


def _is_none(node):
    return isinstance(node, ast.Constant) and node.value is None
