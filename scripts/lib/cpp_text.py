"""What can be told of C++ from its text."""

import re


def class_heads(text):
    """Lines to which gcov ascribes what the compiler adds to a class: destructors that nobody wrote or calls."""
    return {n for n, line in enumerate(text.splitlines(), 1) if re.fullmatch(r"\s*(class|struct) [^;()={]*\{?", line)}
