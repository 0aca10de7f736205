"""`_kernel.pyi` says what the compiled module has: the same names, with the same signatures.

The stub is kept by hand, because a person reads it; nanobind's own view of the module is what it is compared with.
Two spellings of one type count as equal: modules in front of names and nanobind's notes on arrays are dropped.
"""

import ast
from pathlib import Path

from nanobind.stubgen import StubGen

from mineproof.engine import _kernel


def test_the_stub_equals_the_module(root: Path) -> None:
    generator = StubGen(_kernel, include_docstrings=False)
    generator.put(_kernel)
    stub = (root / "src/mineproof/engine/_kernel.pyi").read_text("utf-8")
    assert declarations(stub) == declarations(generator.get())


def test_the_module_has_a_version() -> None:
    assert isinstance(_kernel.__version__, str)


def declarations(stub: str) -> list[str]:
    """What a stub declares, a line each, in order of name."""
    return sorted(_lines(Plain().visit(ast.parse(stub)).body, ""))


def _lines(body: list[ast.stmt], prefix: str) -> list[str]:
    lines = []
    for node in body:
        match node:
            case ast.FunctionDef(name=name, args=args, returns=returns, decorator_list=decorators):
                marks = "".join(f"@{ast.unparse(mark)} " for mark in decorators)
                result = "" if returns is None else f" -> {ast.unparse(returns)}"
                lines.append(f"{prefix}{name}: {marks}({ast.unparse(args)}){result}")
            case ast.ClassDef(name=name, bases=bases, body=members):
                lines.append(f"{prefix}{name}: class({', '.join(map(ast.unparse, bases))})")
                lines += _lines(members, f"{prefix}{name}.")
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
                lines.append(f"{prefix}{name}: {ast.unparse(annotation)}")
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                lines.append(f"{prefix}{name} = {ast.unparse(value)}")
    # Names that begin with an underscore are the module's own affair; stubgen leaves them out too.
    return [line for line in lines if prefix or not line.startswith("_")]


class Plain(ast.NodeTransformer):
    """``Annotated[numpy.typing.NDArray[numpy.int8], ...]`` becomes ``NDArray[int8]``."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        return ast.Name(node.attr)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Subscript(value=ast.Name(id="Annotated"), slice=ast.Tuple(elts=[plain, *_])):
                return plain
        return node


def test_a_difference_is_seen() -> None:
    def one(line: str) -> list[str]:
        return declarations(line)

    nanobind = "import numpy\ndef f(x: Annotated[numpy.typing.NDArray[numpy.int8], dict(order='C')]) -> int: ..."
    assert one("def f(x: npt.NDArray[np.int8]) -> int:\n    '''Counts.'''") == one(nanobind)
    assert one("def f(y: npt.NDArray[np.int8]) -> int: ...") != one(nanobind)
    assert one("def f(x: npt.NDArray[np.int16]) -> int: ...") != one(nanobind)
    assert one("def f(x: npt.NDArray[np.int8], n: int = 1) -> int: ...") != one(nanobind)
    assert one("class A:\n    def f(self) -> int: ...") != one("class A:\n    @property\n    def f(self) -> int: ...")
