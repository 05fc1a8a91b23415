"""What the kit cannot show: clocks that differ, and calls at the same time."""

from __future__ import annotations

import pytest

from auth_service import CircuitOptions, UnavailableError
from auth_service._core.call import Clocks
from auth_service._core.circuit import Circuit
from auth_service.replica.clock import ServiceClock


class Machine:
    """A machine whose clocks a test sets."""

    def __init__(self) -> None:
        self.wall = 1_795_176_000.0
        self.monotonic = 50.0
        self.clock = ServiceClock(Clocks(now=self.now, wall=self.now, monotonic=lambda: self.monotonic))

    def now(self) -> float:
        return self.wall

    def pass_time(self, wall: float, monotonic: float) -> None:
        self.wall += wall
        self.monotonic += monotonic


@pytest.mark.parametrize(
    ("wall", "monotonic", "age"),
    [
        (10, 10, 10),
        # The clock was set back.
        (-3600, 10, 10),
        # The monotonic clock stood still while the machine slept.
        (3600, 10, 3600),
    ],
)
def test_data_ages_by_the_clock_that_has_advanced_further(wall: float, monotonic: float, age: float) -> None:
    machine = Machine()
    start, _ = machine.clock.now()
    machine.pass_time(wall, monotonic)
    now, age_seconds = machine.clock.now()
    assert age_seconds == pytest.approx(age) and now - start == pytest.approx(age * 1000)


def test_a_poll_sets_the_age_to_when_it_was_sent() -> None:
    machine = Machine()
    machine.pass_time(60, 60)
    set_known = machine.clock.ask()
    machine.pass_time(2, 2)
    set_known(0)
    assert machine.clock.now()[1] == pytest.approx(2)


def test_only_one_call_probes_a_service_that_did_not_answer() -> None:
    machine = Machine()
    circuit = Circuit(CircuitOptions(timeouts=1, open_seconds=5), lambda: machine.monotonic)
    circuit.enter()
    circuit.leave(True)
    with pytest.raises(UnavailableError, match="circuit_open") as caught:
        circuit.enter()
    assert caught.value.retry_after_seconds == 5
    machine.pass_time(5, 5)
    circuit.enter()
    with pytest.raises(UnavailableError):
        circuit.enter()
    circuit.leave(False)
    circuit.enter()
