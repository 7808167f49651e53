"""YAML that is read and written: hostile files are a ConfigError, soon, and nothing runs; text is read back."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from cProfile import Profile

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from meteorlib.config import load_presets
from meteorlib.config.document import presets_as_yaml, read_text
from meteorlib.config.nodes import Problems
from meteorlib.errors import ConfigError
from tests.examples import examples, many


def test_undecodable(my):
    """A byte that is not UTF-8 is reported with line and offset."""
    assert str(my(b"presets:\n  a: \xff\n")) == (
        "my.yaml:2: byte 0xFF at offset 14 is not UTF-8; if it is Latin-1: "
        "iconv -f WINDOWS-1252 -t UTF-8 < my.yaml > my.yaml.new"
    )
    told = (
        "my.yaml:1: byte 0xFF at offset 0 is not UTF-8; it is UTF-16: iconv -f UTF-16 -t UTF-8 < my.yaml > my.yaml.new"
    )
    assert str(my("presets:".encode("utf-16"))) == told


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("nope.yaml", "nope.yaml: no such file"),
        (".", ".: is a folder, not a file"),
        ("x" * 300, f"{'x' * 300}: cannot be read: {os.strerror(errno.ENAMETOOLONG)}"),
    ],
)
def test_no_file(path, message, tmp_path, monkeypatch):
    """An unreadable file is a ConfigError, too."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError) as caught:
        load_presets(path)
    assert str(caught.value) == message


def test_no_file_name():
    """A name that no file can have is named, too."""
    with pytest.raises(ConfigError, match=r"^a\x00b: cannot be read: "):
        load_presets("a\0b")


MOST_CALLS = 20_000_000
"""Calls of functions, a few hundred for each byte of the largest file that is read."""

HEAVY = {
    "nested lists": b"[" * 10_000,
    "nested values": b"presets: " + b"[" * 90_000,
    "nested mappings": b"{a: " * 24_000,
    "nested dashes": b"- " * 49_000,
    "nested keys": b"? " * 49_000,
    "laughs": b"a: &a [1,1,1,1,1,1,1,1,1]\n"
    + b"".join(b"%c: &%c [%s]\n" % (name, name, b",".join([b"*%c" % (name - 1)] * 9)) for name in b"bcdefghi"),
    "deep aliases": b"a0: &a0 [[[[[[1]]]]]]\n"
    + b"".join(b"a%d: &a%d [*a%d]\n" % (i, i, i - 1) for i in range(1, 3000)),
    "too large": b"#" * 100_001,
    "many values": b"[" + b"1," * 45_000,
    "many keys": b"".join(b"k%d: 1\n" % i for i in range(8000)),
    "many presets": b"presets:\n" + b"".join(b" k%d: {extends: j}\n" % i for i in range(4000)),
    "long names": b"presets:\n" + b"".join(b" %s%d: {extends: %s}\n" % (b"k" * 200, i, b"j" * 200) for i in range(190)),
    "long text": b'"' + b"a" * 99_000 + b'"',
    "long chain": b"presets:\n" + b"".join(b" k%d: {extends: k%d}\n" % (i, i + 1) for i in range(199)),
    "huge version": b"%YAML 1." + b"9" * 6000 + b"\n---\na: 1",
}


LONGEST = ("many values", "many keys", "many presets", "nested values", "nested lists", "long names")
"""Files that take longest to read."""


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (HEAVY["laughs"], "more than 20,000 values, those repeated by aliases included"),
        (b"presets:\n" + b"".join(b" k%d: {extends: j}\n" % i for i in range(201)), "holds more than 200 presets"),
    ],
)
def test_bounds(my, content, message):
    """A file of too many values or presets is refused for that, before anything is made of them."""
    assert message in str(my(content))


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=pytest.mark.thorough if case in LONGEST else ()) for case in HEAVY]
)
def test_nothing_explodes(my, case):
    """Nesting, aliases, sizes and chains end in an error, soon: no RecursionError, no quadratic work."""
    with Profile() as profile:
        my(HEAVY[case])
    assert sum(entry.callcount for entry in profile.getstats()) < MOST_CALLS


def test_nothing_runs(tmp_path):
    """No tag of YAML runs code."""
    path, trace = tmp_path / "my.yaml", tmp_path / "trace"
    path.write_text(
        f"presets: !!python/object/apply:pathlib.Path.touch [!!python/object/apply:pathlib.Path ['{trace}']]\n"
    )
    program = f"from meteorlib.config import load_presets; load_presets({str(path)!r})"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, check=False).returncode == 1
    assert not trace.exists()


SNIPPETS = (
    "presets¦mine¦:¦: ¦\n¦\n  ¦\n    ¦- ¦[¦]¦{¦}¦,¦extends: ¦meteor-2005¦stages¦matcher¦exact¦&a ¦*a¦<<¦!!str ¦!x¦? ¦"
    "| ¦>¦'¦\"¦\\¦%¦@¦`¦1¦1e9¦true¦null¦~¦#¦---¦...¦\t¦\r¦\x85¦parameters¦alpha¦search¦name"
).split("¦")
"""Pieces of YAML."""


@given(
    content=st.one_of(
        st.lists(st.sampled_from(SNIPPETS), max_size=30).map("".join).map(str.encode),
        st.text(max_size=60).map(str.encode),
        st.binary(max_size=60),
    )
)
@example(content=b"presets: {mine: {extends: meteor-2005}}")
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=400 if many() else 60
)
def test_any_file_loads_or_is_refused(content, tmp_path):
    """A file of any content gives presets or a ConfigError with a message."""
    path = tmp_path / "my.yaml"
    path.write_bytes(content)
    try:
        told = list(load_presets(path))
    except ConfigError as error:
        told = str(error).splitlines()
    assert told
    assert all(told)


TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0")) | st.sampled_from(
    [
        *"no on true null ~ 1e-3 010 1.5 .inf = << ' 2005-01-01".split(),
        "",
        "- a",
        "a: b",
        "# a",
        "\x85",
        "a\rb",
        "a\u2028b\u2029",
    ]
)
SCALARS = st.none() | st.booleans() | st.integers(-(10**17), 10**17) | st.floats(allow_nan=False) | TEXT
KEYS = st.from_regex(r"[a-z_][\w.+-]{0,9}", fullmatch=True) | st.sampled_from(["no", "true", "2005", "1.5"])
SETTINGS = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)


@given(presets=st.dictionaries(KEYS, SETTINGS, max_size=3))
@examples(100)
def test_what_is_written_is_read(presets):
    """Settings are read back as they were, also text that looks like something else."""
    problems = Problems("here")
    root = read_text(presets_as_yaml(presets, "# of presets\n"), "here", problems)
    problems.raise_any()
    assert repr(root.plain()) == repr({"presets": presets})


def test_form():
    """Simple settings are on one line, nested ones on separate lines; comments come first."""
    text = presets_as_yaml(
        {"mine": {"search": {"name": "beam"}, "stages": [{"matcher": "exact", "weight": 1.0}]}}, "# mine\n"
    )
    assert text == (
        "# mine\n\npresets:\n  mine:\n    search: {name: beam}\n    stages:\n      - {matcher: exact, weight: 1.0}\n"
    )
