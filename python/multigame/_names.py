"""Names and values in Python become those of the command line."""

from __future__ import annotations

from datetime import timedelta
from os import PathLike, fspath
from typing import Any


def wish(value: Any) -> str:
    """A value as the command line writes it."""
    if value is True:
        return "on"
    if value is False:
        return "off"
    if isinstance(value, timedelta):
        return str(value.total_seconds())
    if isinstance(value, PathLike):
        return str(fspath(value))
    if isinstance(value, dict):
        return ",".join(f"{name.replace('_', '-')}={wish(part)}" for name, part in value.items())
    return str(value)


def wishes(options: dict[str, Any]) -> list[tuple[str, str]]:
    """Keywords as names and values; those that are `None` are left out."""
    given = options.items()
    return [(name.replace("_", "-"), wish(value)) for name, value in given if value is not None]
