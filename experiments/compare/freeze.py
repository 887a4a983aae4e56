"""Keeps what a comparison has confirmed: positions with our successors, which the oracle found too.

`tests/games.rs` checks the file `games/NAME/frozen.toml` without the oracle. A hash represents the set of successors:
FNV-1a of 64 bits over their position texts, sorted and joined by line ends.
"""

import json
from pathlib import Path

LIBRARY = Path(__file__).resolve().parents[2] / "games"


def fnv(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


class Frozen:
    """The positions of one game; some of those offered are kept, evenly spread."""

    def __init__(self, name, oracle, most):
        self.name, self.oracle, self.most = name, oracle, most
        self.offered = []

    def offer(self, position, successors, parameters=None):
        """A position and the texts of its successors, confirmed by the oracle."""
        if self.most and successors:
            texts = sorted(set(successors))
            self.offered.append((position, len(texts), fnv("\n".join(texts)), parameters or {}))

    def write(self):
        if not self.most or not self.offered:
            return
        step = max(1, len(self.offered) // self.most)
        lines = [
            f"# Written by experiments/compare: along random games {self.oracle} found the same successors.",
            f"oracle = {json.dumps(self.oracle)}",
        ]
        for position, count, value, parameters in self.offered[::step][: self.most]:
            lines += ["", "[[positions]]", f"position = {json.dumps(position)}"]
            if parameters:
                values = ", ".join(f"{name} = {value}" for name, value in parameters.items())
                lines.append(f"set = {{ {values} }}")
            lines += [f"successors = {count}", f'hash = "{value:016x}"']
        (LIBRARY / self.name / "frozen.toml").write_text("\n".join(lines) + "\n")
