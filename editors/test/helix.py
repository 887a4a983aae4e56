"""Drives Helix in a terminal that nobody sees; the environment names the program and rules with a mistake.

What Helix does is read from the file that it writes, so the test knows nothing about its screen.
"""

import fcntl
import os
import pathlib
import pty
import select
import struct
import sys
import termios
import time

PROGRAM = pathlib.Path(os.environ["MULTIGAME"])
RULES = pathlib.Path(os.environ["RULES"])
CONFIGURATION = pathlib.Path(os.environ["CONFIGURATION"])
PATIENCE = 60.0


def start():
    """Helix with the file, and its terminal."""
    folder = RULES.parent / "helix-configuration"
    (folder / "helix").mkdir(parents=True, exist_ok=True)
    (folder / "helix" / "languages.toml").write_text(CONFIGURATION.read_text())
    programs = RULES.parent / "programs"
    programs.mkdir(exist_ok=True)
    link = programs / "multigame"
    link.unlink(missing_ok=True)
    link.symlink_to(PROGRAM)
    environment = os.environ | {
        "XDG_CONFIG_HOME": str(folder),
        "XDG_CACHE_HOME": str(RULES.parent / "helix-cache"),
        "PATH": f"{programs}:{os.environ['PATH']}",
        "TERM": "xterm-256color",
    }
    child, terminal = pty.fork()
    if child == 0:
        os.execvpe("hx", ["hx", str(RULES)], environment)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    return terminal


def pass_time(terminal, seconds):
    """Takes what Helix draws for a while, and answers its questions about the terminal."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if not select.select([terminal], [], [], left)[0]:
            continue
        try:
            drawn = os.read(terminal, 1 << 16)
        except OSError:
            sys.exit("Helix ended")
        if b"\x1b[c" in drawn:
            os.write(terminal, b"\x1b[?62;c")


def until(what, terminal, keys, holds):
    """Presses keys until the file is as it should be: the server may not be ready for the first ones."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        for part in keys:
            os.write(terminal, part)
            pass_time(terminal, 0.5)
        os.write(terminal, b"\x1b\x1b:w!\r")
        pass_time(terminal, 0.5)
        if holds(RULES.read_text()):
            return
    sys.exit(f"{what}: this did not happen\n{RULES.read_text()}")


def main():
    terminal = start()
    pass_time(terminal, 1)
    # The next diagnostic, the actions there, the first of them.
    until("the remedy", terminal, [b"]d", b" a", b"\r"], lambda text: "find empty field" in text)
    # The rule that the last line declares, under another name.
    until("another name", terminal, [b"gg/three_in_a_row\r", b" r", b"\x15row_of_three\r"],
          lambda text: "three_in_a_row" not in text and text.count("row_of_three") == 2)
    until("a mistake in the form", terminal, [b"gg/sides = 1\r", b"csides   =   1\x1b"],
          lambda text: "sides   =   1" in text)
    until("the usual form", terminal, [b":format\r"], lambda text: "sides   =   1" not in text)
    os.write(terminal, b":q!\r")
    print("Helix works")


main()
