"""Torque control of robot arms by inverse dynamics, for ROS 2."""
