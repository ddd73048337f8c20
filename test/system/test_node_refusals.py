"""What a node cannot use ends it with one line that says what, where, got and expected."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from id_controller.model.robots import robot_config, robot_path

NODES = {
    'controller': 'id_controller.ros.host_process',
    'simulator': 'id_controller.ros.simulator_node',
}
FILE = ('--params-file', str(robot_config('arm7')))
ROBOT = ('-p', f'robot_description_file:={robot_path("arm7")}')
BROKEN_XML = '<robot name="r"><link name="a"></robot>'
BROKEN_XACRO = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">${nonsense}</robot>'
OF_BOTH = {
    'missing parameter file': (('--params-file', '/none.yaml'), ('/none.yaml', 'No such file')),
    'missing robot': ((*FILE, '-p', 'robot_description_file:=/none.urdf'), ('/none.urdf',)),
    'no joints': (ROBOT, ('joints', 'got an empty list', 'expected')),
    'unknown joint': (('-p', 'joints:=[joint1, elbow]', *ROBOT), ('elbow', 'joint')),
    'broken argument': (('-p', 'x'), ("'-p x'",)),
}
OF_CONTROLLER = {
    'wrong gain type': (
        (*FILE, *ROBOT, '-p', 'gains.joint1.p:=much'), ('gains.joint1.p', 'much', 'expected'),
    ),
    'negative gain': (
        (*FILE, *ROBOT, '-p', 'gains.joint1.p:=-3'), ('gains.joint1.p', '-3', 'at least 0'),
    ),
    'unknown parameter': (
        (*FILE, *ROBOT, '-p', 'gain.joint1.p:=3.0'), ('gain.joint1.p', 'gains.joint1.p'),
    ),
    'no gain': (
        ('-p', 'joints:=[joint1]', '-p', 'auto_activate:=true', *ROBOT),
        ('no gain for joint1', 'gains.<joint>.p'),
    ),
}
CASES = [
    *(pytest.param(node, *case, id=f'{node}, {name}')
      for node in NODES for name, case in OF_BOTH.items()),
    *(pytest.param('controller', *case, id=name) for name, case in OF_CONTROLLER.items()),
]


def ended(node: str, arguments: tuple[str, ...]) -> tuple[int, list[str]]:
    """Run a node to its end; its exit code and what it said, without the stamped log."""
    boot = f'import sys; from {NODES[node]} import main; sys.exit(main())'
    result = subprocess.run(
        [sys.executable, '-c', boot, '--ros-args', *arguments],
        capture_output=True, text=True, timeout=30, check=False,
    )
    lines = (result.stdout + result.stderr).splitlines()
    assert not any('Traceback' in line for line in lines), lines
    return result.returncode, [line for line in lines if line and not line.startswith('[')]


@pytest.mark.parametrize(('node', 'arguments', 'texts'), CASES)
def test_bad_input_ends_a_node_with_one_line(
    node: str, arguments: tuple[str, ...], texts: tuple[str, ...]
) -> None:
    code, lines = ended(node, arguments)
    assert code == 2
    assert len(lines) == 1, lines
    for text in texts:
        assert text in lines[0]


@pytest.mark.parametrize('node', NODES)
@pytest.mark.parametrize(('name', 'content', 'text'), [
    ('bad.urdf', BROKEN_XML, 'XML'),
    ('bad.xacro', BROKEN_XACRO, 'nonsense'),
])
def test_bad_descriptions_end_a_node_with_one_line(
    tmp_path: Path, node: str, name: str, content: str, text: str
) -> None:
    path = tmp_path / name
    path.write_text(content)
    code, lines = ended(node, (*FILE, '-p', f'robot_description_file:={path}'))
    assert code == 2
    assert len(lines) == 1, lines
    assert name in lines[0] and text in lines[0]
