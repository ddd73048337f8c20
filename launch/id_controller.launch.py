"""Launch the controller on a robot."""
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

ARGUMENTS = {
    'params_file': ('', 'Parameter file: joints, gains, limits, output'),
    'robot_description_file': ('', 'URDF or xacro file; empty: from the topic robot_description'),
    'namespace': ('', 'Namespace of the node'),
    'use_sim_time': ('false', 'Take the time from /clock'),
    'log_level': ('info', 'debug, info, warn, error or fatal'),
}


def start(context):
    """Make the node; an empty argument leaves to the parameter file what it says."""
    given = {name: LaunchConfiguration(name).perform(context) for name in ARGUMENTS}
    parameters = [{'use_sim_time': given['use_sim_time'].lower() == 'true'}]
    if given['params_file']:
        parameters.insert(0, given['params_file'])
    if given['robot_description_file']:
        parameters.append({'robot_description_file': given['robot_description_file']})
    return [
        Node(
            package='id_controller',
            executable='id_controller_node',
            namespace=given['namespace'],
            parameters=parameters,
            ros_arguments=['--log-level', given['log_level']],
            output='screen',
        )
    ]


def generate_launch_description():
    """Declare the arguments, then start."""
    arguments = [
        DeclareLaunchArgument(name, default_value=default, description=text)
        for name, (default, text) in ARGUMENTS.items()
    ]
    return LaunchDescription([*arguments, OpaqueFunction(function=start)])
