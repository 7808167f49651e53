"""Checks of a wheel by `python -m tools.wheels`."""

from __future__ import annotations

import pytest

from tools.wheels import MAX_SIZE, needs_only_musl, platform_tag, problems, runs_where

SHOWN = """
meteorlib-1-cp311-cp311-linux_x86_64.whl is consistent with
the following platform tag: "manylinux_2_17_x86_64".
"""


def test_platform_tag():
    """The tag is found across the lines that auditwheel breaks."""
    assert platform_tag(SHOWN) == "manylinux_2_17_x86_64"
    assert platform_tag(SHOWN.replace("the following platform", "the\nfollowing\nplatform")) == "manylinux_2_17_x86_64"
    assert platform_tag("is not a platform wheel") == "another system"


@pytest.mark.parametrize(
    ("found", "runs"),
    [
        ("manylinux_2_28_x86_64", True),
        ("manylinux_2_5_x86_64", True),
        ("manylinux_2_29_x86_64", False),
        ("manylinux_3_0_x86_64", False),
        ("manylinux_2_17_aarch64", False),
        ("musllinux_1_2_x86_64", False),
        ("linux_x86_64", False),
        ("another system", False),
    ],
)
def test_old_systems(found, runs):
    """A wheel may need glibc 2.28 or an older one, on its own processor; not a newer one or another library."""
    assert runs_where(found, "manylinux_2_28_x86_64") == runs


@pytest.mark.parametrize(("libraries", "only"), [("libc.so", True), ("libstdc++.so.6, libc.so", False), ("", False)])
def test_musl(libraries, only):
    """A wheel for musl may need musl, by the name that zig writes, and nothing else."""
    shown = f"""
In order to achieve the tag platform tag 'musllinux_1_2_x86_64' the
following shared library dependencies will need to be eliminated:

{libraries}
"""
    assert needs_only_musl(shown) == only


def test_size(tmp_path):
    """A wheel that is too large is a problem that names both sizes."""
    wheel = tmp_path / "x.whl"
    for size, found in ((MAX_SIZE, []), (MAX_SIZE + 1, ["x.whl has 9,000,001 bytes; at most 9,000,000 are allowed"])):
        with wheel.open("wb") as file:
            file.truncate(size)
        assert list(problems(wheel)) == found
