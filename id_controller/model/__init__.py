"""Robot descriptions and rigid-body dynamics; the only part that uses Pinocchio."""
