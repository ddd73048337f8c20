"""How the package is built; the requirements of each use are its extras."""
from glob import glob

from setuptools import find_packages, setup

NAME = 'id_controller'
FOLDERS = ('urdf', 'config', 'launch')

# ROS 2 Kilted as wheels, at the versions that were tried together.
ROS = [
    'ros-kilted-rclpy==9.1.2',
    'ros-kilted-rmw-fastrtps-cpp==9.3.3',
    'ros-kilted-diagnostic-msgs==5.5.1',
    'ros-kilted-geometry-msgs==5.5.1',
    'ros-kilted-lifecycle-msgs==2.3.0',
    'ros-kilted-rcl-interfaces==2.3.0',
    'ros-kilted-rosgraph-msgs==2.3.0',
    'ros-kilted-sensor-msgs==5.5.1',
    'ros-kilted-std-msgs==5.5.1',
    'ros-kilted-std-srvs==5.5.1',
    'ros-kilted-trajectory-msgs==5.5.1',
]

setup(
    name=NAME,
    version='0.1.0',
    description='Torque control of robot arms by inverse dynamics, for ROS 2.',
    license='Apache-2.0',
    maintainer='id_controller maintainers',
    maintainer_email='maintainers@users.noreply.a-seed-794a236c.example',
    packages=find_packages(include=[NAME, f'{NAME}.*']),
    package_data={NAME: ['py.typed']},
    data_files=[
        ('share/ament_index/resource_index/packages', [f'resource/{NAME}']),
        (f'share/{NAME}', ['package.xml']),
        *((f'share/{NAME}/{folder}', sorted(glob(f'{folder}/*.*'))) for folder in FOLDERS),
    ],
    python_requires='>=3.10',
    install_requires=['numpy', 'pyyaml'],
    extras_require={
        # What a ROS workspace gets from apt instead (package.xml).
        'standalone': [*ROS, 'pin>=3,<5', 'xacro>=2.1'],
        # The distribution mujoco-core brings the module mujoco alone, without viewers.
        'sim': [
            'mujoco-core>=4.0.1,<5; python_version >= "3.11"',
            'mujoco>=3.2,<4; python_version < "3.11"',
        ],
        'robots': ['example-robot-data>=4.4'],
        'view': ['matplotlib>=3.5', 'tqdm>=4.57'],
        # test_msgs has an action, for the action server; robots have control_msgs for that.
        'test': [
            'pytest>=7', 'hypothesis>=6.36', 'pytest-timeout>=2', 'ros-kilted-test-msgs==2.3.0',
        ],
        # What they find changes with their versions.
        'dev': ['ruff==0.17.6', 'mypy==2.4.1', 'types-PyYAML'],
    },
    entry_points={
        'console_scripts': [
            'id_controller = id_controller.command_line.main:main',
            'id_controller_node = id_controller.ros.host_process:main',
            'id_controller_sim = id_controller.ros.simulator_node:main',
        ],
    },
    zip_safe=False,
)
