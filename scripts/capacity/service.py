"""A service of Cloud Run in simulated time: its instances, the requests that wait for a seat, and the autoscaler.

What is modelled is https://cloud.google.com/run/docs/about-instance-autoscaling: instances for the mean CPU use and the mean
concurrency of the last minute at 60 % of what there is, more at once where requests wait, a wait of at most 3.5 starts or 10 s
before a request is refused (429), and idle instances kept for a while. How often the autoscaler looks is not said there."""

from collections import deque
from collections.abc import Generator
from dataclasses import dataclass, field
from math import ceil
from typing import Any

import simpy

from scripts.capacity.figures import Tier

TARGET = 0.6  # of CPU and of seats
WINDOW = 60  # seconds
LOOK = 1  # seconds between two looks of the autoscaler: assumed
Steps = Generator[simpy.Event, Any, Any]


class Refused(Exception):
    """No seat in time: 429."""


@dataclass(eq=False)
class Instance:
    """Billed from its start, ready after it."""

    cpus: simpy.Resource
    began: float
    ready: float
    taken: int = 0
    left: float = 0.0  # when the last request did


@dataclass
class Service:
    """instances: those that are there, oldest first; past: seconds of those that are gone; most: there were at once."""

    env: simpy.Environment
    tier: Tier
    instances: list[Instance] = field(default_factory=list)
    waiting: deque[simpy.Event] = field(default_factory=deque)
    used: float = 0.0  # CPU seconds since the last look
    past: float = 0.0
    most: int = 0

    def __post_init__(self) -> None:
        looks = WINDOW // LOOK
        self._cpu: deque[float] = deque([0.0] * looks, looks)  # before the first second there was nothing
        self._open: deque[int] = deque([0] * looks, looks)
        self._start(self.tier.least, after=0.0)
        self.env.process(self._scale())

    def seat(self) -> Steps:
        """The instance that takes the request. Raises Refused."""
        event = self.env.event()
        self.waiting.append(event)
        self._fill()
        if not event.triggered:
            self._scale_up()
            yield event | self.env.timeout(max(3.5 * self.tier.start_seconds, 10.0))
        if not event.triggered:
            self.waiting.remove(event)
            raise Refused
        return event.value

    def leave(self, instance: Instance) -> None:
        instance.taken -= 1
        instance.left = self.env.now
        self._fill()

    def compute(self, instance: Instance, seconds: float) -> Steps:
        """On one of its CPUs, after those who came before."""
        with instance.cpus.request() as turn:
            yield turn
            yield self.env.timeout(seconds)
        self.used += seconds

    def billed(self) -> float:
        """Instance seconds up to now."""
        return self.past + sum(self.env.now - instance.began for instance in self.instances)

    def _fill(self) -> None:
        while self.waiting and (free := self._free()):
            instance = min(free, key=lambda each: each.taken)
            instance.taken += 1
            self.waiting.popleft().succeed(instance)

    def _free(self) -> list[Instance]:
        """Instances with a seat: those wanted, and the others only when these are full, so that they can end."""
        ready = [each for each in self.instances if each.ready <= self.env.now and each.taken < self.tier.concurrency]
        wanted = set(map(id, self.instances[: self._wanted()]))
        return [each for each in ready if id(each) in wanted] or ready

    def _wanted(self) -> int:
        by_cpu = _mean(self._cpu) / (self.tier.cpus * TARGET)
        by_seats = _mean(self._open) / (self.tier.concurrency * TARGET)
        return min(max(ceil(by_cpu), ceil(by_seats), self.tier.least), self.tier.most)

    def _scale(self) -> Steps:
        while True:
            yield self.env.timeout(LOOK)
            self._cpu.append(self.used / LOOK)
            self._open.append(sum(each.taken for each in self.instances) + len(self.waiting))
            self.used = 0.0
            self._scale_up()
            self._end_idle()

    def _scale_up(self) -> None:
        """To what the last minute asks for, and to seats for all who wait now."""
        at_once = sum(each.taken for each in self.instances) + len(self.waiting) if self.waiting else 0
        wanted = min(max(self._wanted(), ceil(at_once / self.tier.concurrency)), self.tier.most)
        self._start(wanted - len(self.instances), after=self.tier.start_seconds)

    def _start(self, number: int, after: float) -> None:
        for _ in range(number):
            cpus = simpy.Resource(self.env, self.tier.cpus)
            self.instances.append(Instance(cpus, self.env.now, self.env.now + after, left=self.env.now + after))
            self.env.process(self._open_after(after))
        self.most = max(self.most, len(self.instances))

    def _open_after(self, seconds: float) -> Steps:
        yield self.env.timeout(seconds)
        self._fill()

    def _end_idle(self) -> None:
        keep = max(self._wanted(), self.tier.least)
        for instance in self.instances[keep:]:
            if not instance.taken and self.env.now - instance.left >= self.tier.idle_seconds:
                self.instances.remove(instance)
                self.past += self.env.now - instance.began


def _mean(values: "deque[float] | deque[int]") -> float:
    return sum(values) / len(values)
