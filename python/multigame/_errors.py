"""Exceptions. Wrong positions, moves and options are `ValueError`; what is wrong with rules has its own class."""

from __future__ import annotations

import json
from typing import Any


class RulesError(ValueError):
    """The rules are wrong, or did something at run time that has no meaning.

    The text of the exception shows the places in the rules; `diagnostics` has the same as data.

    >>> import multigame
    >>> try:
    ...     multigame.loads("players 3")
    ... except multigame.RulesError as error:
    ...     print(error.diagnostics[0]["line"], error.diagnostics[0]["severity"])
    1 error
    """

    diagnostics: list[dict[str, Any]]

    def __init__(self, rendered: str, diagnostics: str = "[]") -> None:
        super().__init__(rendered.rstrip())
        self.diagnostics = json.loads(diagnostics)

    def __reduce__(self) -> tuple[type[RulesError], tuple[str, str]]:
        return type(self), (str(self), json.dumps(self.diagnostics))
