"""Trajectories: points from outside, their validation, their splines and how they are followed."""
