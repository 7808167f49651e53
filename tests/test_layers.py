"""The layers that import-linter checks are all of the package, and those that the documentation shows."""

from __future__ import annotations

import tomllib
from pkgutil import iter_modules

import pytest

import meteorlib


@pytest.fixture(scope="module")
def contract(root):
    """import-linter's contract of layers."""
    linter = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    return next(contract for contract in linter["contracts"] if contract["type"] == "layers")


def test_every_module_is_in_a_layer(contract):
    """A new module needs a layer: the contract is exhaustive, and nothing is ignored or named twice."""
    assert (contract["containers"], contract["exhaustive"]) == (["meteorlib"], True)
    assert "exhaustive_ignores" not in contract
    named = [name for layer in contract["layers"] for name in layer.split(" | ")]
    assert sorted(named) == sorted(module.name for module in iter_modules(meteorlib.__path__))


def test_documented(contract, root):
    """docs/architecture.md draws the same layers."""
    section = (root / "docs" / "architecture.md").read_text("utf-8").partition("\n## Layers\n")[2]
    assert section.split("```")[1].splitlines() == ["text", *contract["layers"]]
