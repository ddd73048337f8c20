"""The command ``id_controller``."""
