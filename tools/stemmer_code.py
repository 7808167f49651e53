"""Translate the carried Snowball stemmers into code for the compiled engine; setup.py calls it.

Snowball's compiler writes Python of a few forms. Each statement becomes instructions of six numbers, which
``engine/kernel/words/snowball.pxd`` runs: the operation, up to four operands, and where to go on if a test fails.
"""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from meteorlib import _vendor
from meteorlib.resources.stemmers import CODE_FOLDER, METEOR_SNOWBALL_LANGUAGES, carried_stemmer

OPERATIONS = (
    "move", "add", "subtract", "less", "at_most", "equal", "group", "literal", "among", "replace", "insert", "keep",
    "kept", "nothing", "call", "return", "jump",
)  # fmt: skip
"""Operations, by their numbers."""

MOST_REGISTERS, MOST_SAVED = 1024, 32
"""Room of the machine: for all registers, and for those of a method that calls itself."""

_FIXED = ("cursor", "limit", "limit_backward", "bra", "ket")
_COMPARISONS = {ast.Lt: ("less", 1), ast.LtE: ("at_most", 1), ast.Gt: ("less", -1), ast.GtE: ("at_most", -1)}


class Label:
    """A place in the code that is known later."""

    place: int


class Translation:
    """The code of a stemmer, and its data: characters, sets of characters and tables of endings."""

    def __init__(self, stemmer: type) -> None:
        self.stemmer, self.code, self.pool, self.entries = stemmer, [], [], {}
        self.method, self.labels = "", {}
        self.calls: set[tuple[str, str]] = set()
        self.tables: dict[str, int] = {}
        self.constants: dict[str, int] = {}
        self.locals: dict[str, list[str]] = {}
        names = [name for name in dir(stemmer) if name.startswith(("I_", "B_"))]
        self.attributes = {name: int(getattr(stemmer, name)) for name in names}
        carried = next(one for one in stemmer.__mro__ if one.__module__.startswith(_vendor.__name__))
        source = Path(str(sys.modules[carried.__module__].__file__)).read_text(encoding="utf-8")
        (tree,) = [node for node in ast.parse(source).body if getattr(node, "name", "") == carried.__name__]
        methods = {
            node.name: node.body for node in cast("ast.ClassDef", tree).body if isinstance(node, ast.FunctionDef)
        }
        for name, body in {**methods, "never": []}.items():
            if name.startswith("r_") or name in {"_stem", "never"}:
                self.translate(name, body)

    def translate(self, name: str, body: Sequence[ast.stmt]) -> None:
        """Translate a method."""
        self.method, self.locals[name] = name, []
        self.entries[name] = Label()
        self.put(self.entries[name])
        self.run(body)
        self.emit("return", 0)

    def put(self, label: Label) -> None:
        """A label is here."""
        label.place = len(self.code)

    def emit(self, operation: str, *operands: Any, to: Any = None) -> None:
        """Append an instruction; operands that are strings name registers."""
        self.code.append([OPERATIONS.index(operation), *operands, *[0] * (4 - len(operands)), to])

    def register(self, node: ast.expr) -> str:
        """The register of a number that is not computed."""
        match node:
            case ast.Constant(value=int(number)):
                self.constants[f"#{int(number)}"] = int(number)
                return f"#{int(number)}"
            case ast.Attribute(value=ast.Name("self"), attr=name) if name in self.attributes or name in _FIXED:
                return name
            case ast.Name(name):
                return self.local(name)
        raise ValueError(ast.unparse(node))

    def local(self, name: str) -> str:
        """The register of a local variable."""
        full = f"{self.method}.{name}"
        if full not in self.locals[self.method]:
            self.locals[self.method].append(full)
        return full

    def text(self, node: ast.expr) -> tuple[int, int]:
        """Where a text begins in the data, and its length."""
        text = ast.literal_eval(node)
        return self.keep(map(ord, text)), len(text)

    def keep(self, numbers: Iterator[int] | list[int]) -> int:
        """Append data; where they begin."""
        begin = len(self.pool)
        self.pool.extend(numbers)
        return begin

    def table(self, node: ast.expr) -> int:
        """Where a set of characters, or a table of endings, begins in the data."""
        if not isinstance(node, ast.Attribute):
            raise TypeError(ast.unparse(node))
        if node.attr not in self.tables:
            table = getattr(self.stemmer, node.attr)
            if not isinstance(table[0], int):
                texts = [self.keep(map(ord, ending.s)) for ending in table]
                table = [
                    number
                    for text, ending in zip(texts, table, strict=True)
                    for number in (len(ending.s), text, ending.substring_i, ending.result, self.entry(ending.method))
                ]
            self.tables[node.attr] = self.keep(table)
        return self.tables[node.attr]

    def entry(self, method: str | None) -> Any:
        """Where a method begins that a table of endings names; -1: it names none."""
        if method is None:
            return -1
        self.calls.add((self.method, method))
        return method

    def run(self, statements: Sequence[ast.stmt]) -> None:
        """Translate statements."""
        for statement in statements:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:  # noqa: PLR0912 – a case for each form
        """Translate a statement."""
        match node:
            case ast.Pass():
                pass
            case ast.Assign([ast.Attribute(attr=name)], ast.Call(ast.Attribute(attr="slice_to"))) if name[:2] == "S_":
                self.emit("keep")
            case ast.Assign([target], ast.Call() as call):
                self.among(self.register(target), call)
            case ast.Assign([target], ast.BinOp(left, operator, right)):
                self.compute(target, left, operator, right)
            case ast.Assign([target], value):
                self.emit("move", self.register(target), self.register(value))
            case ast.AugAssign(target, operator, value):
                self.compute(target, target, operator, value)
            case ast.Expr(ast.Call(ast.Attribute(attr="insert"), [start, end, text])):
                if {self.register(start), self.register(end)} != {"cursor"}:
                    raise ValueError(ast.unparse(node))
                self.emit("insert", *self.text(text))
            case ast.If(test, body, orelse):
                otherwise, end = Label(), Label()
                self.test(test, otherwise)
                self.run(body)
                self.emit("jump", to=end)
                self.put(otherwise)
                self.run(orelse)
                self.put(end)
            case ast.While(ast.Constant(value=True), body, []):
                start = Label()
                self.put(start)
                self.run(body)
                self.emit("jump", to=start)
            case ast.Try(body, [ast.ExceptHandler(ast.Name(label), None, [ast.Pass()])], [], []):
                self.labels[label] = Label()
                self.run(body)
                self.put(self.labels.pop(label))
            case ast.Raise(ast.Call(ast.Name(label))):
                self.emit("jump", to=self.labels[label])
            case ast.Return(ast.Constant(value=bool(value))):
                self.emit("return", int(value))
            case _:
                raise ValueError(ast.unparse(node))

    def compute(self, target: ast.expr, left: ast.expr, operator: ast.operator, right: ast.expr) -> None:
        """Translate a sum or a difference."""
        operation = {ast.Add: "add", ast.Sub: "subtract"}[type(operator)]
        self.emit(operation, self.register(target), self.register(left), self.register(right))

    def among(self, target: str, call: ast.Call) -> None:
        """Translate a search among endings."""
        match call:
            case ast.Call(ast.Attribute(attr="find_among" | "find_among_b" as name), [table, ast.Constant(size)]):
                self.emit("among", target, int(name == "find_among_b"), self.table(table), size)
            case _:
                raise ValueError(ast.unparse(call))

    def test(self, node: ast.expr, otherwise: Label) -> None:
        """Translate a condition: go on where it holds, else at `otherwise`."""
        match node:
            case ast.UnaryOp(ast.Not(), operand):
                fails = Label()
                self.test(operand, fails)
                self.emit("jump", to=otherwise)
                self.put(fails)
            case ast.BoolOp(ast.Or(), [first, second]):
                other, holds = Label(), Label()
                self.test(first, other)
                self.emit("jump", to=holds)
                self.put(other)
                self.test(second, otherwise)
                self.put(holds)
            case ast.Compare(ast.Attribute(attr=name), [ast.Eq()], [ast.Constant("")]) if name[:2] == "S_":
                self.emit("nothing", to=otherwise)
            case ast.Compare(ast.Call() as call, [ast.Eq()], [right]):
                found = self.local("found")
                self.among(found, call)
                self.emit("equal", found, self.register(right), to=otherwise)
            case ast.Compare(left, [ast.Eq()], [right]):
                self.emit("equal", self.register(left), self.register(right), to=otherwise)
            case ast.Compare(left, [operator], [right]):
                operation, order = _COMPARISONS[type(operator)]
                self.emit(operation, *[self.register(side) for side in (left, right)][::order], to=otherwise)
            case ast.Attribute(attr=name) if name in self.attributes:
                self.emit("equal", name, self.register(ast.Constant(1)), to=otherwise)
            case ast.Call(ast.Attribute(attr=name), arguments):
                self.call(name, arguments, otherwise)
            case _:
                raise ValueError(ast.unparse(node))

    def call(self, name: str, arguments: list[ast.expr], otherwise: Label) -> None:
        """Translate a call that may fail."""
        backward = int(name.endswith("_b"))
        match name.removesuffix("_b"), arguments:
            case ("in_grouping" | "out_grouping") as kind, [table, ast.Constant(low), ast.Constant(high)]:
                self.emit("group", 2 * (kind == "out_grouping") + backward, self.table(table), low, high, to=otherwise)
            case "eq_s", [_, text]:
                self.emit("literal", backward, *self.text(text), to=otherwise)
            case "eq_v", [_] if backward:
                self.emit("kept", to=otherwise)
            case "slice_from", [text]:
                self.emit("replace", *self.text(text), to=otherwise)
            case "slice_del", []:
                self.emit("replace", 0, 0, to=otherwise)
            case _ if name.startswith("r_") and not arguments:
                self.calls.add((self.method, name))
                self.emit("call", name, self.method, to=otherwise)
            case _:
                raise ValueError(name)

    def reaches(self, method: str, other: str) -> bool:
        """Whether a method calls another, or one that calls it."""
        seen, queue = {method}, [method]
        for one in queue:
            new = {callee for caller, callee in self.calls if caller == one} - seen
            seen |= new
            queue += new
        return other in {callee for caller, callee in self.calls if caller in seen}

    def finished(self) -> dict[str, Any]:
        """Registers and places as numbers."""
        names = [*_FIXED, *self.attributes, *self.constants]
        names += [name for those in self.locals.values() for name in those]
        numbers = {name: number for number, name in enumerate(names)}
        if len(names) > MOST_REGISTERS:
            raise ValueError(f"{len(names)} registers")
        call, jump, width = OPERATIONS.index("call"), OPERATIONS.index("jump"), 6

        def target(label: Label) -> int:
            instruction = self.code[label.place]
            return target(instruction[-1]) if instruction[0] == jump else width * label.place

        code: list[int] = []
        for operation, *named, to in self.code:
            operands = named
            if operation == call:
                callee, caller, *_ = named
                mine = self.locals[caller] if self.reaches(callee, caller) else []
                if len(mine) > MOST_SAVED:
                    raise ValueError(f"{caller} has {len(mine)} variables")
                operands = [width * self.entries[callee].place, numbers[mine[0]] if mine else 0, len(mine), 0]
            code += [operation, *[numbers.get(one, one) for one in operands], 0 if to is None else target(to)]
        return {
            "code": code,
            "pool": [one if isinstance(one, int) else width * self.entries[one].place for one in self.pool],
            "registers": [*[0] * len(_FIXED), *self.attributes.values(), *self.constants.values()],
            "entry": width * self.entries["_stem"].place,
        }


def write_stemmer_code(folder: Path) -> None:
    """Write the code of all carried stemmers to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for algorithm in sorted({*METEOR_SNOWBALL_LANGUAGES.values()} - {"english"}):
        text = json.dumps(Translation(carried_stemmer(algorithm)).finished(), separators=(",", ":"))
        (folder / f"{algorithm}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_stemmer_code(CODE_FOLDER)
