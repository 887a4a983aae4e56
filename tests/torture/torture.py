#!/usr/bin/env python3
"""Tortures the program for as long as you like, and prints a table of what it stood.

    tests/torture/torture.py                       # a little of every kind
    tests/torture/torture.py --rounds 1000         # until each kind has 1,000 rounds
    tests/torture/torture.py --hours 8 --kind solve --kind learn
    tests/torture/torture.py --table               # only print the table of what was done so far

A round is one case of a kind, made from its number alone: a failure can be repeated by `--kind NAME --only NUMBER`. Results
go to a file, a line each; rounds that are there are not done again, so the same command goes on after an interruption.

A kind is a file in `kinds`. It has a line of documentation, `AIM` (what to reach, as text for the table), and
`round(world)`, which does one case and returns what is to be counted, such as `{"kills": 7}`. It raises `Failure` if the
program does something wrong.
"""

import argparse
import datetime
import importlib.util
import json
import pathlib
import sys
import time
import traceback

from world import Failure, World

HERE = pathlib.Path(__file__).resolve().parent


def kinds():
    found = {}
    for path in sorted((HERE / "kinds").glob("*.py")):
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        found[path.stem] = module
    return found


def read(path):
    """What was done so far; a line that was being written when the program ended does not count."""
    if not path.exists():
        return []
    text = path.read_text()
    complete = text[: text.rfind("\n") + 1]
    if complete != text:
        path.write_text(complete)
    return [json.loads(line) for line in complete.splitlines()]


def do(name, module, number, program):
    start = time.monotonic()
    result = {"kind": name, "number": number, "counts": {}, "failure": None}
    with World(program, f"{name} {number}") as world:
        try:
            result["counts"] = module.round(world)
        except Failure as failure:
            result["failure"] = str(failure)
        except Exception:  # a kind that fails itself is a failure too
            result["failure"] = traceback.format_exc()
        if result["failure"]:
            world.keep()
    result["seconds"] = round(time.monotonic() - start, 2)
    return result


def table(results, modules):
    lines = [
        "| kind | what is done | rounds | counted | failures | aim |",
        "|---|---|---|---|---|---|",
    ]
    for name, module in modules.items():
        own = [result for result in results if result["kind"] == name]
        counts = {}
        for result in own:
            for what, count in result["counts"].items():
                counts[what] = counts.get(what, 0) + count
        counted = ", ".join(f"{count:,} {what}" for what, count in counts.items())
        failures = sum(result["failure"] is not None for result in own)
        says = module.__doc__.strip().splitlines()[0].rstrip(".")
        lines.append(f"| {name} | {says} | {len(own):,} | {counted} | {failures} | {module.AIM} |")
    return "\n".join(lines)


def arguments(names):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kind", action="append", choices=names, help="only this kind; may be given several times")
    parser.add_argument("--rounds", type=int, default=5, help="until each kind has this many rounds")
    parser.add_argument("--hours", type=float, help="stop after this time")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="do this round again and keep nothing")
    parser.add_argument("--program", default=HERE.parents[1] / "target/release/multigame", type=pathlib.Path)
    parser.add_argument("--results", default=HERE.parents[1] / "target/torture.jsonl", type=pathlib.Path)
    parser.add_argument("--table", action="store_true", help="only print the table")
    return parser.parse_args()


def main():
    modules = kinds()
    asked = arguments(list(modules))
    if not asked.program.exists():
        sys.exit(f"there is no program `{asked.program}`; make it with `cargo build --release`")
    modules = {name: module for name, module in modules.items() if not asked.kind or name in asked.kind}
    if asked.only is not None:
        for name, module in modules.items():
            print(json.dumps(do(name, module, asked.only, asked.program.resolve()), indent=2))
        return
    results = read(asked.results)
    done = {(result["kind"], result["number"]) for result in results}
    until = time.monotonic() + 3600 * asked.hours if asked.hours else None
    todo = [(name, number) for number in range(asked.rounds) for name in modules if (name, number) not in done]
    with asked.results.open("a") as file:
        for name, number in [] if asked.table else todo:
            if until and time.monotonic() > until:
                break
            result = do(name, modules[name], number, asked.program.resolve())
            results.append(result)
            file.write(json.dumps(result) + "\n")
            file.flush()
            state = result["failure"] or "ok"
            print(f"{name} {number}: {state} {result['counts']} {result['seconds']} s", file=sys.stderr)
    print(f"{datetime.date.today()}\n\n{table(results, modules)}")
    sys.exit(any(result["failure"] for result in results))


if __name__ == "__main__":
    main()
