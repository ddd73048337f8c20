"""The groups of the schema that are about the timing of ticks."""
from __future__ import annotations

from dataclasses import dataclass, field

from id_controller.parameters.fields import option

OVERRUN_POLICIES = ('report', 'hold', 'stop')


@dataclass(frozen=True, kw_only=True, slots=True)
class Overruns:
    """
    What is done about ticks that are lost.

    controller_manager's ``overruns.manage`` has no meaning here: late ticks are always dropped.
    """

    print_warnings: bool = option(True, 'Say on ~/events when ticks are lost.', live=True)
    policy: str = option(
        'hold', 'What a lasting loss of ticks does with pacing steady: it is reported, the arm '
        'holds until a new goal, or it is a fault until a reset.',
        choices=OVERRUN_POLICIES, live=True,
    )
    window: float = option(
        0.5, 'Time constant of the achieved rate.', unit='s', lower=0.01, upper=60.0, live=True
    )
    min_rate: float = option(
        0.9, 'Share of update_rate below which ticks are being lost.', lower=0.1, upper=1.0,
        live=True,
    )
    max_consecutive: int = option(
        25, 'Ticks lost in a row that are a loss at once.', lower=1, live=True
    )
    max_state_age: float = option(
        0.0, 'A tick on an older state counts as lost; 0: half of state_timeout.', unit='s',
        lower=0.0, live=True,
    )
    recovery_time: float = option(
        1.0, 'Time without a loss after which motions are accepted again.', unit='s', lower=0.0,
        upper=60.0, live=True,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class RateError:
    """Of the achieved rate."""

    warn: float = option(5.0, 'Diagnostics warn above this.', unit='Hz', lower=0.0, live=True)
    error: float = option(10.0, 'Diagnostics show an error above this.', unit='Hz', lower=0.0,
                          live=True)


@dataclass(frozen=True, kw_only=True, slots=True)
class ExecutionMean:
    """Of the time from wake-up to published command, its mean."""

    warn: float = option(1000.0, 'Diagnostics warn above this.', unit='us', lower=0.0, live=True)
    error: float = option(2000.0, 'Diagnostics show an error above this.', unit='us', lower=0.0,
                          live=True)


@dataclass(frozen=True, kw_only=True, slots=True)
class ExecutionDeviation:
    """Of the time from wake-up to published command, its standard deviation."""

    warn: float = option(100.0, 'Diagnostics warn above this.', unit='us', lower=0.0, live=True)
    error: float = option(200.0, 'Diagnostics show an error above this.', unit='us', lower=0.0,
                          live=True)


@dataclass(frozen=True, kw_only=True, slots=True)
class Periodicity:
    """
    Thresholds of the achieved rate, each taken over a tenth of a second.

    From tick to tick the rate deviates by the jitter of the wake-up, which is reported by itself.
    """

    mean_error: RateError = field(default_factory=RateError)
    standard_deviation: RateError = field(default_factory=RateError)


@dataclass(frozen=True, kw_only=True, slots=True)
class ExecutionTime:
    """Thresholds of the time that a tick takes."""

    mean_error: ExecutionMean = field(default_factory=ExecutionMean)
    standard_deviation: ExecutionDeviation = field(default_factory=ExecutionDeviation)


@dataclass(frozen=True, kw_only=True, slots=True)
class ControllerThresholds:
    """Thresholds of a controller, with the names and values of controller_manager."""

    periodicity: Periodicity = field(default_factory=Periodicity)
    execution_time: ExecutionTime = field(default_factory=ExecutionTime)


@dataclass(frozen=True, kw_only=True, slots=True)
class Threshold:
    """Thresholds by what they are of."""

    controllers: ControllerThresholds = field(default_factory=ControllerThresholds)


@dataclass(frozen=True, kw_only=True, slots=True)
class Diagnostics:
    """What ``/diagnostics`` makes of the timing."""

    threshold: Threshold = field(default_factory=Threshold)
