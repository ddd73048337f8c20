"""Imports go one way, and the core runs where ROS is absent."""
from __future__ import annotations

import ast
import subprocess
import sys

import pytest
from sources import ROOT, imports_of, module_name, package_files, part_of, shown, tree_of

# A part imports only from parts of a lower rank.
RANK = {
    'id_controller': 0, 'errors': 0,
    'state': 1, 'paths': 1,
    'parameters': 2,
    'model': 3,
    'trajectory': 4,
    'control': 5, 'simulation': 5,
    'realtime': 6,
    'ros': 7,
    'benchmark': 8,
    'chaos': 9,
    'command_line': 10,
}
EDGE = ('ros', 'benchmark', 'chaos', 'command_line')
ROS_LIBRARIES = (
    'rclpy', 'action_msgs', 'ament_index_python', 'builtin_interfaces', 'control_msgs',
    'diagnostic_msgs', 'geometry_msgs', 'launch', 'launch_ros', 'lifecycle_msgs',
    'rcl_interfaces', 'rosgraph_msgs', 'rpyutils', 'sensor_msgs', 'std_msgs', 'std_srvs',
    'trajectory_msgs',
)
# Who may import what; for all else there is no rule.
OWNERS = {
    **dict.fromkeys(ROS_LIBRARIES, EDGE),
    'pinocchio': ('model',),
    'xacro': ('model',),
    'mujoco': ('simulation',),
    'matplotlib': ('benchmark', 'command_line'),
    'tqdm': ('benchmark', 'command_line'),
    'ctypes': ('realtime',),
}
WITHOUT_ROS = """
import importlib, sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.split('.')[0] in {absent!r}:
            raise ModuleNotFoundError(f'{{name}} must not be needed', name=name)

sys.meta_path.insert(0, Absent())
for name in {modules!r}:
    importlib.import_module(name)
print(*sorted(set(sys.modules)))
"""


def core_modules() -> list[str]:
    names = [module_name(path) for path in package_files()]
    return [name for name in names if part_of(name) not in EDGE]


def test_the_core_imports_where_ros_is_absent() -> None:
    code = WITHOUT_ROS.format(absent=ROS_LIBRARIES, modules=core_modules())
    done = subprocess.run(
        [sys.executable, '-c', code], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    loaded = {name.split('.')[0] for name in done.stdout.split()}
    assert 'numpy' in loaded
    assert not loaded & set(ROS_LIBRARIES)


def test_the_core_is_most_of_the_package() -> None:
    parts = {part_of(name) for name in core_modules()}
    assert parts == set(RANK) - set(EDGE)


@pytest.mark.parametrize('path', package_files(), ids=shown)
def test_imports_go_one_way(path: object) -> None:
    part = part_of(module_name(path))
    wrong = [
        f'line {line}: {part} (rank {RANK[part]}) imports {name}'
        for line, name in imports_of(path)
        if name.split('.')[0] == 'id_controller'
        and part_of(name) != part
        and RANK[part_of(name)] >= RANK[part]
    ]
    assert not wrong


@pytest.mark.parametrize('path', package_files(), ids=shown)
def test_each_library_has_its_owner(path: object) -> None:
    part = part_of(module_name(path))
    wrong = [
        f'line {line}: {name} is for {" and ".join(OWNERS[name.split(".")[0]])} only'
        for line, name in imports_of(path)
        if part not in OWNERS.get(name.split('.')[0], (part,))
    ]
    assert not wrong


@pytest.mark.parametrize('path', package_files(), ids=shown)
def test_imports_are_absolute(path: object) -> None:
    assert not [name for _, name in imports_of(path) if name.startswith('.')]


def test_only_realtime_touches_the_scheduler() -> None:
    wrong = [
        f'{shown(path)}:{node.lineno}: {node.attr}'
        for path in package_files()
        if part_of(module_name(path)) != 'realtime'
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Attribute) and node.attr.startswith('sched_set')
    ]
    assert not wrong
