"""The version is the same wherever it stands."""
from __future__ import annotations

import ast
import re
from xml.etree import ElementTree

from sources import ROOT, tree_of

HEADING = re.compile(r'^(\d+\.\d+\.\d+) \(\d{4}-\d{2}-\d{2}\)\n(-+)$', re.MULTILINE)


def setup_argument(name: str) -> str:
    calls = [node for node in ast.walk(tree_of(ROOT / 'setup.py')) if isinstance(node, ast.Call)]
    return next(
        ast.literal_eval(keyword.value)
        for call in calls for keyword in call.keywords if keyword.arg == name
    )


def manifest(tag: str) -> str:
    return ElementTree.parse(ROOT / 'package.xml').findtext(tag)


def test_version_of_manifest_setup_and_changelog() -> None:
    headings = HEADING.findall((ROOT / 'CHANGELOG.rst').read_text())
    assert headings
    assert manifest('version') == setup_argument('version') == headings[0][0]


def test_changelog_headings_are_underlined_whole_and_newest_first() -> None:
    headings = HEADING.findall((ROOT / 'CHANGELOG.rst').read_text())
    versions = [tuple(map(int, version.split('.'))) for version, _ in headings]
    assert versions == sorted(set(versions), reverse=True)
    assert all(len(f'{version} (2000-01-01)') == len(line) for version, line in headings)


def test_licence_and_maintainer() -> None:
    assert manifest('license') == setup_argument('license') == 'Apache-2.0'
    assert 'Apache License' in (ROOT / 'LICENSE').read_text()
    assert manifest('maintainer') == setup_argument('maintainer')
