"""Digests of results: XXH3-128 of the JSON without layout, its keys sorted, as the program writes them."""

from __future__ import annotations

import ctypes
import functools
import json
import warnings
from json.encoder import encode_basestring
from typing import Any, Callable


class _Hash(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


@functools.lru_cache(maxsize=None)
def _library() -> Callable[[bytes, int], _Hash] | None:
    """XXH3 of Debian's libxxhash0, which apt needs and so every Debian has; None elsewhere."""
    try:
        function = ctypes.CDLL("libxxhash.so.0").XXH3_128bits
    except (OSError, AttributeError):
        return None
    function.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    function.restype = _Hash
    return function


class _Number(str):
    """A number as the file has it: every digit counts."""


def _compact(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(f"{encode_basestring(key)}:{_compact(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_compact, value)) + "]"
    if isinstance(value, _Number):
        return value
    return encode_basestring(value) if isinstance(value, str) else {None: "null", True: "true", False: "false"}[value]


def changed(text: str) -> str | None:
    """What is wrong with a JSON object that has a "digest": "expected ..., found ..."; None for a right one.

    None too for one without a digest: results of old versions have none.
    """
    value = json.loads(text, parse_float=_Number, parse_int=_Number)
    if not isinstance(value, dict) or "digest" not in value:
        return None
    expected = value.pop("digest")
    function = _library()
    if function is None:
        warnings.warn("digests are not verified: libxxhash.so.0 is not there (Debian: libxxhash0)", stacklevel=2)
        return None
    content = _compact(value).encode("utf-8", "surrogatepass")
    hash_ = function(content, len(content))
    found = f"{hash_.high:016x}{hash_.low:016x}"
    return None if found == expected else f"expected content of digest {expected}, found content of digest {found}"
