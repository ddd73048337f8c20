"""Files and functions stay small; each exception gives its reason."""
from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from pathlib import Path

from sources import python_files, shown, tree_of

FILE_LINES = 250
FUNCTION_LINES = 25
INIT_LINES = 20
# 'path' or 'path:Class.function': why it is longer.
EXCEPTIONS: dict[str, str] = {}

NO_CODE = (
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
    tokenize.ENDMARKER, tokenize.ENCODING,
)


def too_long() -> set[str]:
    found = set()
    for path in python_files():
        if len(path.read_text(encoding='utf-8').splitlines()) > FILE_LINES:
            found.add(shown(path))
        for name, lines in function_sizes(path):
            if lines > (INIT_LINES if name.endswith('__init__') else FUNCTION_LINES):
                found.add(f'{shown(path)}:{name}')
    return found


def function_sizes(path: Path) -> Iterator[tuple[str, int]]:
    """Qualified name and code lines of the body: no docstring, comment or blank line."""
    lines = code_lines(path.read_text(encoding='utf-8'))
    waiting: list[tuple[str, ast.AST]] = [('', tree_of(path))]
    while waiting:
        prefix, parent = waiting.pop()
        for node in ast.iter_child_nodes(parent):
            named = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
            name = f'{prefix}{node.name}' if named else prefix
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                body = node.body[1:] if ast.get_docstring(node) is not None else node.body
                first = body[0].lineno if body else node.end_lineno + 1
                yield name, len(lines & set(range(first, node.end_lineno + 1)))
            waiting.append((f'{name}.' if named else prefix, node))


def code_lines(text: str) -> set[int]:
    found: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in NO_CODE:
            found.update(range(token.start[0], token.end[0] + 1))
    return found


def test_files_and_functions_are_small() -> None:
    assert sorted(too_long() - set(EXCEPTIONS)) == []


def test_every_exception_is_needed() -> None:
    assert sorted(set(EXCEPTIONS) - too_long()) == []


def test_what_counts_as_a_code_line(tmp_path: Path) -> None:
    text = 'class A:\n    def f(self):\n        """Doc."""\n        # why\n\n        x = [\n'
    text += '            1,\n        ]\n        return x\n'
    (tmp_path / 'a.py').write_text(text)
    assert list(function_sizes(tmp_path / 'a.py')) == [('A.f', 4)]
