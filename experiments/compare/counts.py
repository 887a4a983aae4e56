#!/usr/bin/env python3
"""Counts move sequences with the other programs and models of this folder, for `games/NAME/known.toml`.

    counts.py clobber makruk --most 30000

Prints the numbers of sequences of 1, 2, ... moves up to `--most`; one number more may be above it.
"""

import argparse

import compare
import models


class Counter:
    """`children` gives pairs of a key, which tells successors apart, and a state, or None where the game is over."""

    def __init__(self, children):
        self.children = children
        self.known = {}

    def count(self, state, name, depth):
        if depth == 0:
            return 1
        if (name, depth) not in self.known:
            below = dict(self.children(state))
            if depth == 1:
                total = len(below)
            else:
                total = sum(self.count(child, key, depth - 1) for key, child in below.items() if child is not None)
            self.known[name, depth] = total
        return self.known[name, depth]


def of_model(model):
    def children(state):
        for child, outcome in model.children(state):
            text = model.text(child) if model.finals or not outcome else ""
            yield models.key(model, text, outcome), None if outcome else child

    start = model.start()
    return Counter(children), start, model.text(start)


def of_oracle(oracle):
    def children(state):
        return ((oracle.text(child), child) for child in oracle.successors(state))

    start = oracle.start(None)
    return Counter(children), start, oracle.text(start)


def programs(name):
    if name in models.NAMES:
        for model in models.models(name):
            setting = ", ".join(f"{parameter} = {value}" for parameter, value in model.parameters.items())
            yield model.program, setting, of_model(model)
    else:
        for oracle in compare.oracles(name):
            yield oracle.program, "", of_oracle(oracle)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="+")
    parser.add_argument("--most", type=int, default=30_000)
    arguments = parser.parse_args()
    for name in arguments.names:
        for program, setting, (counter, state, text) in programs(name):
            counts = [counter.count(state, text, 1)]
            while 0 < counts[-1] <= arguments.most and counts[-1] * max(counts[0], 2) <= 20 * arguments.most:
                counts.append(counter.count(state, text, len(counts) + 1))
            print(f"{name} | {program} | {setting} | {counts}", flush=True)


if __name__ == "__main__":
    main()
