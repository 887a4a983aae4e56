#!/usr/bin/env python3
"""Solves games whose result is known, from their rules alone, and compares.

    run.py --binary target/release/multigame                 # what takes seconds
    run.py --binary target/release/multigame --all           # Rubik's cube and connect-4 on 6x5 and 7x6 as well; needs 4 GiB

One line for each: the game, what came out, nodes, seconds, nodes/s; the exit code says whether all were right.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def connect_4(columns, rows, table, result):
    size = ["--set", f"columns={columns}", "--set", f"rows={rows}"]
    return (f"connect-4 {columns}x{rows}", ["connect-4", *size, "--verdict", "--table", str(table)], result)


def cube(turns, scramble, position):
    # Nobody can turn back what was turned faster than it was turned; the search proves that.
    name = f"Rubik's cube, {turns} turns"
    command = ["rubik", "--position", position, "--perimeter", "6", "--table", "1024"]
    return (name, command, f"solved in {len(scramble.split())} moves")


QUICK = [
    ("tic-tac-toe", ["tic-tac-toe"], "draw"),
    ("tic-tac-toe 3x3x3", [str(HERE / "cube.mg"), "--verdict"], "white wins"),
    ("three men's morris", ["three-mens-morris"], "white wins"),
    connect_4(4, 4, 256, "draw"),
    connect_4(5, 4, 256, "draw"),
    connect_4(5, 5, 256, "draw"),
    ("towers of Hanoi, 10 discs", ["hanoi", "--set", "discs=10", "--table", "1024"], "solved in 1023 moves"),
    ("pegged", ["pegged", "--verdict", "--table", "1024"], "solved in 31 moves, perhaps not the fewest"),
]
LONG = [
    cube(
        10,
        "L2 F D B D' B' D2 B' U F",
        "___LDR______/___LUD______/___FDB______/BBRUFDLBDBLU/RLDRFRURUBBF/RFFDFLULUBBF/___LUF______/___LDU______/___DRR______",
    ),
    cube(
        11,
        "L' R U' L D' F2 R2 U D2 L' R",
        "___BUU______/___DUU______/___RDU______/LRDBBLFRFRLD/RLFUFDFRRFBB/RLDFLFDBBULB/___RDL______/___BDU______/___UFL______",
    ),
    cube(
        12,
        "L F' R' B2 R D2 B2 L' D B L2 U2",
        "___RRU______/___UUD______/___DRU______/DRBRDBLBFRFF/LLLUFFDRFLBD/LUDBRRUBUFBD/___LBB______/___FDU______/___FLL______",
    ),
    connect_4(6, 5, 1024, "draw"),
    connect_4(7, 6, 4096, "white wins"),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="target/release/multigame")
    parser.add_argument("--all", action="store_true", help="what takes minutes as well")
    parser.add_argument("--only", help="those whose name contains this")
    arguments = parser.parse_args()
    wrong = 0
    for name, command, expected in QUICK + (LONG if arguments.all else []):
        if arguments.only and arguments.only not in name:
            continue
        run = subprocess.run([arguments.binary, "solve", *command, "--json"], capture_output=True, text=True)
        if run.returncode != 0:
            wrong += 1
            print(f"{name:<28} FAILED: {run.stderr.strip().splitlines()[-1]}", flush=True)
            continue
        report = json.loads(run.stdout)
        result, nodes, seconds = report["result"], report["nodes"], report["seconds"]
        wrong += result != expected
        mark = "" if result == expected else f"  DIFFERS: {expected}"
        rate = nodes / max(seconds, 1e-9)
        print(f"{name:<28} {result:<24} {nodes:>12} nodes {seconds:>8.2f} s {rate:>10.0f}/s{mark}", flush=True)
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
