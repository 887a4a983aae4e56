#!/usr/bin/env python3
"""Many games at once against `multigame serve`: errors, how long requests take, and memory.

    cargo build --release
    experiments/load/load.py --games 50 --seconds 60     # concurrent games, requests that do not search
    experiments/load/load.py --flat 1000                 # memory over that many games one after the other

The players choose random moves and ask for what a page asks for: a session, its event stream, the state after each move,
now and then a move taken back, a check of rules, and (every tenth game) a short search of the computer. Only the standard
library is used.
"""

import argparse
import http.client
import json
import os
import random
import subprocess
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GAMES = ["tic-tac-toe", "connect-4", "othello", "chess", "checkers", "nine-mens-morris", "breakthrough", "awari", "hex"]
RULES = "dimensions (3, 3)\nno moves = draw\npieces { mark 'X' 'O' }\nmain = find empty field, replace by mark.\n"


class Server:
    """A server on a free port."""

    def __init__(self, program, *arguments):
        self.process = subprocess.Popen([program, "serve", "--port", "0", *arguments], stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().split("//")[1].strip().rstrip("/")

    def memory(self):
        """Resident memory in MiB."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024

    def cpu(self):
        """Seconds of processor time."""
        with open(f"/proc/{self.process.pid}/stat") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Client:
    """One browser: a connection that is kept, and the times of its requests."""

    def __init__(self, address):
        self.connection = http.client.HTTPConnection(address, timeout=90)
        self.times, self.errors = {}, []

    def ask(self, kind, method, path, body=None):
        text = json.dumps(body) if body is not None else None
        headers = {"content-type": "application/json"} if text else {}
        start = time.monotonic()
        self.connection.request(method, path, text, headers)
        answer = self.connection.getresponse()
        data = answer.read()
        self.times.setdefault(kind, []).append(time.monotonic() - start)
        if answer.status >= 300:
            self.errors.append((kind, answer.status, data[:200]))
            return None
        return json.loads(data) if data else {}

    def game(self, name, chance, deadline, thinks, think_time):
        opened = self.ask("open", "POST", "/api/sessions", {"game": name})
        if not opened:
            return
        path, state = f"/api/sessions/{opened['id']}", opened["state"]
        while state and not state["outcome"] and state["ply"] < 120 and time.monotonic() < deadline:
            if thinks and state["ply"] % 6 == 5:
                self.ask("think", "POST", path + "/think", {"time": think_time, "play": True, "wait": True})
                state = self.ask("state", "GET", path + "/state")
                continue
            move = chance.choice(state["moves"])["name"]
            state = self.ask("play", "POST", path + "/play", {"move": move})
            if chance.random() < 0.05:
                state = self.ask("undo", "POST", path + "/undo", {})
            if chance.random() < 0.01:
                self.ask("check", "POST", "/api/rules/check", {"rules": RULES})
            time.sleep(chance.random() * self.pause)
        self.ask("close", "DELETE", path)

    pause = 0.0


def percentile(times, part):
    times = sorted(times)
    return times[min(len(times) - 1, int(len(times) * part))] * 1000 if times else 0.0


def report(clients):
    kinds = sorted({kind for client in clients for kind in client.times})
    print("| request | number | median ms | p99 ms | longest ms |\n|---|---|---|---|---|")
    everything = []
    for kind in kinds:
        times = [t for client in clients for t in client.times.get(kind, [])]
        if kind != "think":
            everything += times
        print(f"| {kind} | {len(times)} | {percentile(times, .5):.1f} | {percentile(times, .99):.1f} | {max(times) * 1000:.1f} |")
    print(f"| all without think | {len(everything)} | {percentile(everything, .5):.1f} | {percentile(everything, .99):.1f} | {max(everything) * 1000:.1f} |")
    errors = [error for client in clients for error in client.errors]
    print(f"\nerrors: {len(errors)}", *errors[:5])
    return len(errors)


def together(server, arguments):
    """Many games at once."""
    warm = Client(server.address)
    for name in GAMES:  # each game is compiled once
        opened = warm.ask("open", "POST", "/api/sessions", {"game": name})
        warm.ask("close", "DELETE", f"/api/sessions/{opened['id']}")
    before = server.cpu()
    deadline = time.monotonic() + arguments.seconds
    clients = [Client(server.address) for _ in range(arguments.games)]

    def play(number):
        chance, client = random.Random(number), clients[number]
        client.pause = arguments.pause
        while time.monotonic() < deadline:
            client.game(chance.choice(GAMES), chance, deadline, number % 10 == 0, arguments.think)

    threads = [threading.Thread(target=play, args=(number,)) for number in range(arguments.games)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    requests = sum(len(times) for client in clients for kind, times in client.times.items() if kind != "think")
    print(f"processor time {server.cpu() - before:.1f} s, searches included, for {requests} requests; load average {os.getloadavg()[0]:.1f}\n")
    return report(clients)


def flat(server, arguments):
    """Memory over many games one after the other."""
    client, chance = Client(server.address), random.Random(1)
    for number in range(1, arguments.flat + 1):
        client.game(chance.choice(GAMES), chance, time.monotonic() + 60, number % 20 == 0, 50)
        if number % max(1, arguments.flat // 10) == 0:
            print(f"{number} games: {server.memory():.1f} MiB", flush=True)
    return report([client])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(ROOT, "target", "release", "multigame"))
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pause", type=float, default=1.0, help="longest pause of a player between two moves, seconds")
    parser.add_argument("--think", type=int, default=300, help="time of the computer's searches, milliseconds")
    parser.add_argument("--flat", type=int, help="number of games one after the other")
    arguments = parser.parse_args()
    server = Server(arguments.program)
    try:
        errors = flat(server, arguments) if arguments.flat else together(server, arguments)
        print(f"memory at the end: {server.memory():.1f} MiB")
    finally:
        server.stop()
    raise SystemExit(1 if errors else 0)


if __name__ == "__main__":
    main()
