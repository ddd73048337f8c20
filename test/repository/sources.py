"""The files of the source tree and what their syntax trees say, for the tests beside this file."""
from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / 'id_controller'
SHOWN_DOT_FOLDERS = ('.ci', '.github')
MADE = ('build', 'install', 'log', 'report', 'dist')


def package_files() -> list[Path]:
    return sorted(PACKAGE.rglob('*.py'))


def all_files() -> Iterator[Path]:
    """Every file of the source tree that a person wrote."""
    for top in sorted(ROOT.iterdir()):
        hidden = top.name.startswith('.') and top.is_dir() and top.name not in SHOWN_DOT_FOLDERS
        if hidden or top.name in (*MADE, '.git') or top.name.endswith('.egg-info'):
            continue
        for path in [top] if top.is_file() else sorted(top.rglob('*')):
            if path.is_file() and '__pycache__' not in path.parts:
                yield path


def python_files() -> list[Path]:
    return [path for path in all_files() if path.suffix == '.py']


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding='utf-8'), str(path))


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))


def module_name(path: Path) -> str:
    """Dotted name of a file of the package."""
    parts = path.relative_to(ROOT).with_suffix('').parts
    return '.'.join(parts[:-1] if parts[-1] == '__init__' else parts)


def part_of(module: str) -> str:
    """``model`` for id_controller.model.tree; ``id_controller`` for the package itself."""
    return (module.split('.') + ['id_controller'])[1] if '.' in module else module


def imports_of(path: Path) -> Iterator[tuple[int, str]]:
    """Line and absolute name of every module that a file imports, inside functions too."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            if node.module == 'id_controller':
                for alias in node.names:
                    yield node.lineno, f'id_controller.{alias.name}'
            else:
                yield node.lineno, '.' * node.level + (node.module or '')
