"""What a kind of torture needs: a folder of its own, a random source, and ways to run, kill and starve the program."""

import json
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import tempfile
import time

# No command takes longer on a busy machine.
PATIENCE = 600
# What a process is given that may not fill the disk.
BLOCK = 512


class Failure(Exception):
    """The program did something wrong."""


class World:
    def __init__(self, program, seed):
        self.program = str(program)
        self.random = random.Random(seed)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="multigame-torture-"))
        self.kept = False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if not self.kept:
            shutil.rmtree(self.folder)

    def keep(self):
        """Leaves the folder for somebody to look at."""
        self.kept = True

    def file(self, name):
        return self.folder / name

    def start(self, arguments, most_bytes=None, under=()):
        """Starts the program, perhaps under another one. It cannot write files of more than `most_bytes`, as on a full disk."""

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))

        return subprocess.Popen(
            [*under, self.program, *arguments.split()],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=None if most_bytes is None else limit,
        )

    def run(self, arguments, most_bytes=None):
        """Runs the program to its end; gives its exit code and what it said."""
        process = self.start(arguments, most_bytes)
        return self.end(process, arguments)

    def end(self, process, arguments):
        try:
            out, errors = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise Failure(f"`{arguments}` does not end")
        code = process.returncode
        # A panic is 101; signals are negative.
        if code not in (0, 1, 130) or "panicked" in errors:
            raise Failure(f"`{arguments}` ended with {code}: {errors}")
        return code, out, errors

    def succeed(self, arguments):
        code, out, errors = self.run(arguments)
        self.check(code == 0, f"`{arguments}` failed: {errors}")
        return out

    def json(self, arguments):
        return json.loads(self.succeed(arguments + " --json"))

    def check(self, right, message):
        if not right:
            raise Failure(message)

    def until_done(self, arguments, shortest, growth=1.15, most_bytes=None):
        """Starts the program again and again and ends it at random moments, later and later, until it succeeds."""
        ended = {"kills": 0, "signals": 0}
        patience = shortest
        while True:
            process = self.start(arguments, most_bytes)
            time.sleep(0)
            try:
                process.wait(timeout=self.random.uniform(0, patience))
            except subprocess.TimeoutExpired:
                sign = self.random.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
                ended["kills" if sign == signal.SIGKILL else "signals"] += 1
                process.send_signal(sign)
                if sign == signal.SIGKILL:
                    process.communicate()
                else:
                    # Signals that are not caught yet end the program.
                    out, errors = process.communicate(timeout=PATIENCE)
                    fine = process.returncode in (0, 1, 130, -sign) and "panicked" not in errors
                    self.check(fine, f"`{arguments}` ended with {process.returncode}: {errors}")
            else:
                code, _, errors = self.end(process, arguments)
                self.check(code == 0, f"`{arguments}` failed: {errors}")
                return ended
            patience *= growth

    def leftovers(self):
        """Unfinished files and locks."""
        return [path.name for path in self.folder.iterdir() if path.name.endswith((".unfinished", ".lock"))]
