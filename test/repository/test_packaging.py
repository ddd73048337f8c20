"""What the package ships, and that its files speak of things that exist."""
from __future__ import annotations

import ast
import re
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml
from sources import PACKAGE, ROOT, all_files, package_files, shown, tree_of

from id_controller.parameters.fields import specs
from id_controller.parameters.flat import parameters_from_flat, strangers
from id_controller.parameters.schema import Parameters
from id_controller.parameters.yaml_file import load_parameter_file
from id_controller.paths import FOLDERS
from id_controller.simulation.parameters import SimulatorParameters

BANNED_FILES = {'utils', 'helpers', 'manager', 'common', 'types', 'logging', 'misc'}
BANNED_CLASSES = re.compile(r'Manager|Helper|Utils?$|^Base')
HOME = re.compile(r'/(home|root|Users)/\w')
CONTROLLER_SECTIONS = ('/**', 'id_controller', '/id_controller', '/**/id_controller')
CONFIGURATIONS = sorted((ROOT / 'config').glob('*.yaml'))
LAUNCH_FILES = sorted((ROOT / 'launch').glob('*.py'))
# Parameters by executable, those of single joints left out.
NAMES = {
    'id_controller_node': {spec.name for spec in specs(Parameters, ())},
    'id_controller_sim': {spec.name for spec in specs(SimulatorParameters, ())},
}


@pytest.fixture(scope='module')
def setup_arguments() -> dict[str, Any]:
    """The arguments with which setup.py calls setuptools."""
    given: dict[str, Any] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr('setuptools.setup', lambda **arguments: given.update(arguments))
        patch.chdir(ROOT)
        runpy.run_path('setup.py')
    return given


def test_every_shipped_file_is_installed(setup_arguments: dict[str, Any]) -> None:
    installed = {(place, name) for place, names in setup_arguments['data_files'] for name in names}
    there = {
        (f'share/id_controller/{folder}', shown(path))
        for folder in FOLDERS
        for path in (ROOT / folder).rglob('*')
        if path.is_file() and '__pycache__' not in path.parts
    }
    assert {Path(place).name for place, _ in there} == set(FOLDERS)
    assert installed - there == {
        ('share/ament_index/resource_index/packages', 'resource/id_controller'),
        ('share/id_controller', 'package.xml'),
    }
    assert there <= installed


def test_every_module_is_installed(setup_arguments: dict[str, Any]) -> None:
    folders = {shown(path.parent).replace('/', '.') for path in package_files()}
    assert folders == set(setup_arguments['packages'])
    assert (PACKAGE / 'py.typed').is_file()


def test_colcon_finds_the_tests(setup_arguments: dict[str, Any]) -> None:
    names = [re.split(r'\W', name)[0] for name in setup_arguments['extras_require']['test']]
    assert 'pytest' in names


def executables(setup_arguments: dict[str, Any]) -> dict[str, str]:
    scripts = setup_arguments['entry_points']['console_scripts']
    return dict(re.split(r'\s*=\s*', script) for script in scripts)


def test_entry_points_exist(setup_arguments: dict[str, Any]) -> None:
    for target in executables(setup_arguments).values():
        module, function = target.split(':')
        path = ROOT / (module.replace('.', '/') + '.py')
        assert path.is_file(), target
        defined = [node.name for node in tree_of(path).body if isinstance(node, ast.FunctionDef)]
        assert function in defined, target


@pytest.mark.parametrize('path', CONFIGURATIONS, ids=shown)
def test_every_key_of_a_configuration_is_known(path: Path) -> None:
    flat = load_parameter_file(path)
    joints = parameters_from_flat(flat).joints
    assert strangers([spec.name for spec in specs(Parameters, joints)], flat, joints) == ()


@pytest.mark.parametrize('path', CONFIGURATIONS, ids=shown)
def test_a_configuration_speaks_to_the_controller_only(path: Path) -> None:
    assert set(yaml.safe_load(path.read_text())) <= set(CONTROLLER_SECTIONS)


def launched(path: Path) -> Iterator[str]:
    """Executable of each node that a launch file starts."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            given = {keyword.arg: keyword.value for keyword in node.keywords}
            if 'executable' in given:
                assert ast.literal_eval(given['package']) == 'id_controller'
                yield ast.literal_eval(given['executable'])


@pytest.mark.parametrize('path', LAUNCH_FILES, ids=shown)
def test_a_launch_file_starts_what_exists(path: Path, setup_arguments: dict[str, Any]) -> None:
    started = list(launched(path))
    assert started
    assert set(started) <= set(executables(setup_arguments))


@pytest.mark.parametrize('path', LAUNCH_FILES, ids=shown)
def test_a_launch_file_sets_what_exists(path: Path) -> None:
    known = NAMES['id_controller_node'] | {'use_sim_time'}
    if 'id_controller_sim' in launched(path):
        known |= NAMES['id_controller_sim']
    functions = [node for node in tree_of(path).body if isinstance(node, ast.FunctionDef)]
    names = {
        ast.literal_eval(key)
        for function in functions
        for node in ast.walk(function)
        if isinstance(node, ast.Dict)
        for key in node.keys
        if key is not None
    }
    assert names
    assert names <= known


def test_the_plant_is_given_what_both_know() -> None:
    body = tree_of(ROOT / 'launch' / 'demo_mujoco.launch.py').body
    [shared] = [
        ast.literal_eval(node.value)
        for node in body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == 'SHARED'
    ]
    assert set(shared) <= NAMES['id_controller_node'] & NAMES['id_controller_sim']


@pytest.mark.parametrize('path', CONFIGURATIONS + LAUNCH_FILES, ids=shown)
def test_data_files_have_no_tabs(path: Path) -> None:
    assert '\t' not in path.read_text()


@pytest.mark.parametrize(
    'path', [path for path in all_files() if path.suffix in ('.xml', '.urdf')], ids=shown
)
def test_xml_is_well_formed(path: Path) -> None:
    assert ElementTree.parse(path).getroot().tag


def test_no_name_that_says_nothing() -> None:
    names = {path.stem for path in package_files()}
    names |= {path.name for path in PACKAGE.rglob('*') if path.is_dir()}
    assert not names & BANNED_FILES
    classes = [
        f'{shown(path)}: {node.name}'
        for path in package_files()
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ClassDef) and BANNED_CLASSES.search(node.name)
    ]
    assert not classes


def test_no_path_of_one_machine() -> None:
    found = []
    for path in all_files():
        try:
            text = path.read_text(encoding='utf-8')
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if HOME.search(line) or f'{ROOT.parent}/' in line:
                found.append(f'{shown(path)}:{number}: {line.strip()}')
    assert not found
