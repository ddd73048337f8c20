"""Launch the controller with a simulated robot, ready for trajectories."""
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction, Shutdown
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

from id_controller.errors import ParameterError
from id_controller.model.robots import robot_config, robot_path
from id_controller.parameters.yaml_file import load_parameter_file

ARGUMENTS = {
    'robot': ('arm7', 'arm7, panda, ur5, kinova, or (with params_file) a URDF or xacro file'),
    'params_file': ('', 'Parameter file; empty: the one of the robot'),
    'log_level': ('info', 'debug, info, warn, error or fatal'),
}
# What the plant must know as the controller does.
SHARED = ('joints', 'locked_joints', 'locked_positions', 'output.type', 'output.controller')


def start(context):
    """Make both nodes from the same robot and parameter file."""
    given = {name: LaunchConfiguration(name).perform(context) for name in ARGUMENTS}
    description = {'robot_description_file': str(robot_path(given['robot']))}
    params_file = given['params_file'] or robot_config(given['robot'])
    if not params_file:
        raise ParameterError(f'robot {given["robot"]} needs params_file:=...: it has none here')
    ros_arguments = ['--log-level', given['log_level']]
    return [
        Node(
            package='id_controller',
            executable='id_controller_sim',
            parameters=[description, plant_parameters(load_parameter_file(params_file))],
            ros_arguments=ros_arguments,
            output='screen',
            on_exit=Shutdown(reason='the simulator has ended'),
        ),
        Node(
            package='id_controller',
            executable='id_controller_node',
            parameters=[str(params_file), description, {'auto_activate': True}],
            ros_arguments=ros_arguments,
            output='screen',
        ),
    ]


def plant_parameters(flat):
    """Pick what the plant shares with the controller, rotor inertias included."""
    picked = {name: flat[name] for name in SHARED if name in flat}
    rotors = {name: flat[name] for name in flat if name.startswith('armature.')}
    return {**picked, **rotors}


def generate_launch_description():
    """Declare the arguments, then start."""
    arguments = [
        DeclareLaunchArgument(name, default_value=default, description=text)
        for name, (default, text) in ARGUMENTS.items()
    ]
    return LaunchDescription([*arguments, OpaqueFunction(function=start)])
