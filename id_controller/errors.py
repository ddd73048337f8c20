"""
The exceptions that id_controller raises on purpose.

They are raised while loading, configuring or accepting input, never inside a control tick. Each
message says what is wrong, where, what was got and what was expected.
"""


class IdControllerError(Exception):
    """Root of the tree: catch this to catch everything that is raised on purpose."""


class ModelError(IdControllerError):
    """A robot description cannot be used."""


class ParameterError(IdControllerError, ValueError):
    """A parameter or a parameter file cannot be used."""


class TrajectoryError(IdControllerError, ValueError):
    """A trajectory cannot be accepted."""


class JointNamesError(TrajectoryError):
    """Joints are missing, unknown or named twice."""


class OldStampError(TrajectoryError):
    """A trajectory lies wholly in the past."""


class MessageError(IdControllerError, ValueError):
    """A serialized message cannot be read."""


class MailboxError(IdControllerError):
    """A snapshot between the two processes is torn, foreign or out of turn."""


class RecordingError(IdControllerError):
    """A file of the black box cannot be read."""


class SimulationError(IdControllerError):
    """A simulation cannot be set up."""


class InstallationError(IdControllerError):
    """The machine or the installation lacks something; the message says how to get it."""
