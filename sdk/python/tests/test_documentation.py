"""Everything that applications can import has a documentation, of which the reference is made."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import auth_service

package = Path(auth_service.__file__).parent
Definition = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def exported(tree: ast.Module) -> tuple[str, ...]:
    """The names in ``__all__``: modules without it are not for applications."""
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and getattr(statement.targets[0], "id", "") == "__all__":
            return tuple(ast.literal_eval(statement.value))
    return ()


modules = [path for path in sorted(package.rglob("*.py")) if exported(parse(path))]


def undocumented(path: Path, tree: ast.Module) -> Iterator[str]:
    """The names of what has no documentation, with those of its class."""
    if ast.get_docstring(tree) is None:
        yield "the module"
    for name in exported(tree):
        yield from of_name(name, path, tree)


def of_name(name: str, path: Path, tree: ast.Module) -> Iterator[str]:
    for statement, following in zip(tree.body, [*tree.body[1:], None]):
        if isinstance(statement, Definition) and statement.name == name:
            yield from of_definition(statement, "")
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)) and name in assigned(statement):
            yield from [] if is_text(following) else [name]
        elif isinstance(statement, ast.ImportFrom) and name in [each.name for each in statement.names]:
            source = imported(path, statement)
            yield from of_name(name, source, parse(source))


def imported(path: Path, statement: ast.ImportFrom) -> Path:
    """The file from which a module of this package imports."""
    folder = path.parents[statement.level - 1]
    found = folder.joinpath(*(statement.module or "").split("."))
    return found / "__init__.py" if found.is_dir() else found.with_suffix(".py")


def of_definition(definition: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, owner: str) -> Iterator[str]:
    name = f"{owner}{definition.name}"
    if ast.get_docstring(definition) is None:
        yield name
    if not isinstance(definition, ast.ClassDef):
        return
    for statement, following in zip(definition.body, [*definition.body[1:], None]):
        if isinstance(statement, Definition):
            if not statement.name.startswith("_"):
                yield from of_definition(statement, f"{name}.")
        elif isinstance(statement, ast.AnnAssign) and not is_text(following):
            yield from (f"{name}.{each}" for each in assigned(statement) if not each.startswith("_"))


def assigned(statement: ast.Assign | ast.AnnAssign) -> list[str]:
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def is_text(statement: ast.stmt | None) -> bool:
    value = getattr(getattr(statement, "value", None), "value", None)
    return isinstance(statement, ast.Expr) and isinstance(value, str)


@pytest.mark.parametrize("path", modules, ids=lambda path: str(path.relative_to(package)))
def test_every_public_name_has_a_documentation(path: Path) -> None:
    assert list(undocumented(path, parse(path))) == []


def test_a_missing_documentation_is_found() -> None:
    given = '''
"""A module."""
__all__ = ["A", "f", "B"]
B = int
class A:
    """A class."""
    documented: int
    """A number."""
    bare: int
    def method(self): ...
    def _private(self): ...
def f(): ...
def not_exported(): ...
'''
    assert list(undocumented(package, ast.parse(given))) == ["A.bare", "A.method", "f", "B"]
    assert list(undocumented(package, ast.parse("x = 1"))) == ["the module"]
    assert len(modules) > 10
