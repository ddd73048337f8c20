"""Peers, state source, measurement and report of ``id_controller bench``."""
