#!/usr/bin/env python3
"""Makes endgame databases of chess and compares their longest mates with published ones.

    experiments/solved/endgames.py --binary target/release/multigame --folder DIR [--threads N] [--four]

Without --four only slices of three pieces are made. Every slice is verified.
"""

import argparse
import json
import subprocess
import sys

# Longest mates in moves, as tables of distances to mate have them (Thompson, Nalimov, Gaviota).
THREE = {"KQK": 10, "KRK": 16, "KPK": 28}
FOUR = {"KBBK": 19, "KBNK": 33, "KQKN": 21, "KRKB": 29, "KRKN": 40, "KQKR": 35}


def run(arguments):
    done = subprocess.run(arguments, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--threads", default="1")
    parser.add_argument("--memory", default="4096")
    parser.add_argument("--four", action="store_true")
    options = parser.parse_args()
    facts = {**THREE, **(FOUR if options.four else {})}
    at = ["--endgames", options.folder]
    wrong = 0
    for name, moves in facts.items():
        which = ["chess", "--slice", name, "--threads", options.threads]
        print(run([options.binary, "endgame", "make", *which, "--memory", options.memory, *at]), end="")
        print(run([options.binary, "endgame", "verify", *which, *at]), end="")
        text = run([options.binary, "endgame", "statistics", "chess", "--slice", name, "--json", *at])
        plies = json.loads(text)[0]["longest"]["white"]["plies"]
        found = (plies + 1) // 2
        right = found == moves
        wrong += not right
        print(f"{name}: mate in {found}, published {moves}: {'right' if right else 'WRONG'}", flush=True)
    sys.exit(1 if wrong else 0)


main()
