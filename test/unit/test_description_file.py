"""Robot descriptions in files: URDF and xacro, and how a bad file is refused."""
from __future__ import annotations

from pathlib import Path

import pytest

from id_controller.errors import ModelError
from id_controller.model.description import load_description, parse_description

ROBOT = '<robot name="probe"><link name="a"/></robot>'


def test_loads_a_urdf_file(tmp_path: Path) -> None:
    file = tmp_path / 'arm.urdf'
    file.write_text(ROBOT, encoding='utf-8')
    assert load_description(file) == ROBOT
    assert load_description(str(file)) == ROBOT


def test_loads_a_xacro_file_with_arguments(tmp_path: Path) -> None:
    file = tmp_path / 'arm.urdf.xacro'
    file.write_text(
        '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
        '<xacro:arg name="tip" default="hand"/><link name="$(arg tip)"/></robot>',
        encoding='utf-8',
    )
    assert parse_description(load_description(file)).root == 'hand'
    assert parse_description(load_description(file, {'tip': 'tool'})).root == 'tool'


@pytest.mark.parametrize(
    ('name', 'content', 'words'),
    [
        ('none.urdf', None, ['none.urdf', 'no such file']),
        ('empty.urdf', b' \n', ['empty.urdf', 'empty file']),
        ('latin.urdf', b'<robot name="\xe9"/>', ['latin.urdf', 'cannot be read']),
        ('bad.xacro', b'<robot xmlns:xacro="http://www.ros.org/wiki/xacro">'
                      b'<link name="${nothing}"/></robot>', ['bad.xacro', 'xacro', 'nothing']),
        ('broken.xacro', b'<robot', ['broken.xacro', 'xacro']),
        ('find.xacro', b'<robot xmlns:xacro="http://www.ros.org/wiki/xacro">'
                       b'<xacro:include filename="$(find nowhere_x)/a.xacro"/></robot>',
         ['find.xacro', 'xacro: ', 'a shell that knows the packages']),
    ],
)
def test_refuses_files(
    tmp_path: Path, name: str, content: bytes | None, words: list[str]
) -> None:
    file = tmp_path / name
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ModelError) as refusal:
        load_description(file)
    assert [word for word in words if word not in str(refusal.value)] == []


def test_refuses_a_folder_and_lost_arguments(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match='a folder'):
        load_description(tmp_path)
    file = tmp_path / 'arm.urdf'
    file.write_text(ROBOT, encoding='utf-8')
    with pytest.raises(ModelError, match='tip'):
        load_description(file, {'tip': 'tool'})
