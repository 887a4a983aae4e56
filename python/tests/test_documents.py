"""Examples in docstrings and documents run; types are right; the notebook runs."""

import doctest
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent
MODULES = ["", "._batch", "._errors", "._game", "._position", ".open_spiel", ".pettingzoo"]


@pytest.mark.parametrize("name", [f"multigame{module}" for module in MODULES])
def test_docstrings(name):
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 0 and result.failed == 0


@pytest.mark.parametrize("path", ["README.md", "../docs/python.md"])
def test_documents(path, tmp_path, monkeypatch):
    """Python in a document runs from its top to its end; `>>>` shows what comes out."""
    text = (FOLDER / path).read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert blocks
    monkeypatch.chdir(tmp_path)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, path, path, 0)
    assert test.examples
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert result.failed == 0


def test_types():
    cache = str(FOLDER.parent / "target/mypy")
    command = [sys.executable, "-m", "mypy", "--config-file", "pyproject.toml", "--cache-dir", cache]
    checked = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_stubs_name_what_is_there():
    from multigame import _native

    stub = (FOLDER / "multigame/_native.pyi").read_text(encoding="utf-8")
    for kind in ("NativeGame", "NativePosition", "NativeBatch"):
        body = stub.split(f"class {kind}:")[1].split("\nclass ")[0]
        said = set(re.findall(r"def (\w+)\(", body))
        there = {name for name in vars(getattr(_native, kind)) if not name.startswith("__")}
        assert said == there, kind


def test_notebook():
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    notebook = nbformat.read(FOLDER / "examples/tour.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    shown = [kind for cell in notebook.cells for out in cell.get("outputs", []) for kind in out.get("data", {})]
    assert "image/svg+xml" in shown
