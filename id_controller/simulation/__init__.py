"""The plant that stands in for a robot: MuJoCo behind a small, typed surface."""
