"""The house rules that no linter knows: size, who may import what, what pure rooms must not touch, no print."""

import ast
import functools
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("hardware", "capture", "bridge", "server")
LONGEST_FILE = 300
LONGEST_FUNCTION = 50

# Exactly one file (or package) may import each of these.
ONLY_IN = {
    "paho": "hardware/mqtt.py",
    "serial": "hardware/ports/serial.py",
    "pytesseract": "capture/vision/tesseract.py",
    "sqlalchemy": "server/store/",
    "amqtt": "server/ops/",
    "jinja2": "server/web/",
}
# What a pure room may not import: anything that reads a clock, a file, the network, or chance.
IMPURE = {"asyncio", "io", "os", "pathlib", "random", "select", "shutil", "socket", "subprocess", "tempfile",
          "threading", "time", "urllib.request", "http", "sqlite3", "logging"}  # fmt: skip
PURE = ("capture/", "server/core/", "bridge/wire/", "bridge/session.py", "bridge/translate.py", "server/web/views.py")
# Doors through which data files come in: importlib.resources only, at start-up.
DOORS = {"capture/vision/__init__.py", "server/core/rules/presets.py"}
# A maker of new names, which no pure module may call, and a tool that writes the documentation.
SHELLS = {"bridge/wire/ids.py", "bridge/wire/schema.py", "capture/vision/tesseract.py"}
SHELL_NAMES = {shell.removesuffix(".py").replace("/", ".") for shell in SHELLS}


@functools.cache
def sources(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@functools.cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module)
    return found


def test_files_are_under_300_lines():
    long = {name(p): n for p in sources(*ROOMS, "tests", "benchmarks", "scripts")
            if (n := len(p.read_text(encoding="utf-8").splitlines())) > LONGEST_FILE}  # fmt: skip
    assert not long


def test_functions_are_under_50_lines():
    long = {
        f"{name(path)}:{node.name}": length
        for path in sources(*ROOMS)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (length := (node.end_lineno or 0) - node.lineno + 1) > LONGEST_FUNCTION
    }
    assert not long


def test_each_module_says_what_lives_in_it():
    silent = [name(path) for path in sources(*ROOMS) if not ast.get_docstring(tree(path))]
    assert not silent


@pytest.mark.parametrize("package", ONLY_IN)
def test_one_place_imports_each_outside_package(package: str):
    places = {name(p) for p in sources(*ROOMS) if any(i.split(".")[0] == package for i in imports(p))}
    assert {place for place in places if not place.startswith(ONLY_IN[package])} == set()


def test_one_file_opens_cameras_and_one_opens_videos():
    places = {name(path) for path in sources(*ROOMS) for node in ast.walk(tree(path))
              if isinstance(node, ast.Attribute) and node.attr == "VideoCapture"}  # fmt: skip
    assert places <= {"hardware/ports/camera.py", "hardware/ports/replay_pictures.py"}


def test_pure_rooms_touch_no_clock_no_file_and_no_chance():
    guilty = {
        name(path): sorted(bad)
        for path in sources(*ROOMS)
        if name(path).startswith(PURE)
        and name(path) not in DOORS | SHELLS
        and (bad := {i for i in imports(path) if i in IMPURE | SHELL_NAMES or i.split(".")[0] in IMPURE})
    }
    assert not guilty


def test_pure_rooms_open_nothing_and_print_nothing():
    guilty = [
        f"{name(path)}:{node.lineno}"
        for path in sources(*ROOMS)
        if name(path).startswith(PURE)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"open", "print", "input"}
    ]
    assert not guilty


def test_the_rules_need_the_standard_library_only():
    allowed = set(sys.stdlib_module_names) | {"server"}
    guilty = {name(path): sorted(bad) for path in sources("server/core")
              if (bad := {i for i in imports(path) if i.split(".")[0] not in allowed})}  # fmt: skip
    assert not guilty


def test_no_file_names_a_place_of_one_machine():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split(
        "\n"
    )
    telling = ("/wo" + "rk/", "/ro" + "ot/", "/ho" + "me/")
    guilty = []
    for path in filter(None, listed):
        try:
            text = (ROOT / path).read_text(encoding="utf-8")
        except (UnicodeDecodeError, FileNotFoundError):
            continue
        guilty += [f"{path}: {word}" for word in telling if word in text]
    assert not guilty


def test_no_link_in_the_documentation_is_dead():
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    dead = [
        f"{name(page)}: {target}"
        for page in pages
        for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
        if "://" not in target and not (page.parent / target).exists()
    ]
    assert not dead


@pytest.mark.parametrize("command", ["inlane-agent", "inlane-server"])
def test_help_loads_no_heavy_package(command: str):
    room = {"inlane-agent": "bridge", "inlane-server": "server"}[command]
    code = (
        f"import sys; from {room}.cli import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        "heavy = {'cv2', 'numpy', 'fastapi', 'sqlalchemy', 'paho', 'pydantic'} & set(sys.modules)\n"
        "sys.exit(f'loaded: {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_an_agent_needs_no_web_stack():
    code = (
        "import sys, importlib, pkgutil, bridge, capture, hardware\n"
        "blocked = ('fastapi', 'starlette', 'uvicorn', 'sqlalchemy', 'jinja2', 'amqtt', 'yaml', 'pwdlib')\n"
        "class Block:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] in blocked: raise ImportError('blocked: ' + name)\n"
        "sys.meta_path.insert(0, Block())\n"
        "for room in (hardware, capture, bridge):\n"
        "    for module in pkgutil.walk_packages(room.__path__, room.__name__ + '.'):\n"
        "        importlib.import_module(module.name)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
