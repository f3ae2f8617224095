"""Specs that are dicts, as files that the program reads."""
import contextlib
import json
import math
import os
import pathlib
import tempfile


def _plain(value):
    """The value as YAML can hold it: numbers of NumPy as Python's, arrays as lists, tuples as lists."""
    if isinstance(value, dict):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return value


def _text(value):
    """YAML in flow style, which is JSON but for numbers that JSON lacks."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)}: {_text(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_text(v) for v in value) + "]"
    if isinstance(value, float) and not math.isfinite(value):
        return ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"
    if isinstance(value, (str, int, float, bool)) or value is None:
        return json.dumps(value)
    raise TypeError(f"a spec cannot hold {value!r}: use numbers, strings, booleans, lists and dicts")


def yaml_text(spec):
    """A dict as YAML, one section a line, so that the lines of messages name the section."""
    return "".join(f"{json.dumps(k)}: {_text(v)}\n" for k, v in _plain(spec).items())


@contextlib.contextmanager
def spec_file(spec, folder):
    """The path of a spec: its own, or that of a file in `folder` that lasts as long as the context."""
    if not isinstance(spec, dict):
        yield pathlib.Path(spec)
        return
    descriptor, name = tempfile.mkstemp(prefix="spec_", suffix=".yaml", dir=folder)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(yaml_text(spec))
        yield pathlib.Path(name)
    finally:
        os.unlink(name)


def named(text, spec, file):
    """A message about `file`; one that was made of a dict is called "spec"."""
    return text.replace(str(file), "spec") if isinstance(spec, dict) else text


def assignments(changes):
    """{"a.b": 1} as the texts that `--set` takes."""
    return [f"{path}={_text(_plain(value))}" for path, value in (changes or {}).items()]
