"""Up to 100,000 schools on machines with mapped files: how long essays wait, and what the machines cost, by simulation.

    python -m scripts.capacity.placement [FIGURES.json] [--schools 1000,10000,100000] [--seconds 5] [--essays 30]

A school's essays go to the shorter queue of the two machines that rendezvous hashing gives it (Thaler & Ravishankar 1998;
Mitzenmacher 2001), so a school's files are in the memory of two machines. Cases: an ordinary minute; a machine lost in it,
whose schools come to others that have not read their files; a school with a hundred times the essays; the lesson's end
everywhere in one minute. Machines are added until 99 of 100 essays have their evidence in time in the first three cases, or in
the last, as the row says. CPU seconds of an essay are FIGURES', machines and prices those of prices.json."""

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapreplace
from math import ceil
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scripts.capacity.figures import DEFAULT, read_plan

HERE = Path(__file__).parent
CORES, GIBIBYTES = 4, 16  # of a machine
CHOICES = 2  # machines of a school
COLD = 1.0  # seconds that the first essay of a school takes longer; `make bench-scale` measures it
MINUTE, HOUR = 60.0, 3600.0
HOT = 100  # times the essays of another school
ORDINARY, LESSON = ("ordinary", "machine lost", "hot school"), ("lesson's end",)
AIM = 0.6  # share of its cores that a machine is to use in an ordinary minute
Times = NDArray[np.float64]
Numbers = NDArray[np.int64]


def mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A hash of each number: splitmix64 (Steele, Lea & Flood 2014)."""
    with np.errstate(over="ignore"):
        mixed = numbers + np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def placed(schools: int, machines: NDArray[np.uint64], choices: int = CHOICES) -> Numbers:
    """Indices of the machines of each school, (schools, choices): those with the highest hash of both. machines: their ids."""
    choices = min(choices, len(machines))
    found = np.empty((schools, choices), np.int64)
    for start in range(0, schools, 1000):
        these = mixed(np.arange(start, min(start + 1000, schools), dtype=np.uint64))
        weights = mixed(these[:, None] ^ mixed(machines)[None, :])
        for choice in range(choices):
            best = weights.argmax(axis=1)
            found[start : start + 1000, choice] = best
            weights[np.arange(len(best)), best] = 0
    return found


@dataclass(frozen=True)
class Minute:
    """Essays of a minute: when each comes, its school, and its seconds of a core."""

    arrivals: Times
    schools: Numbers
    seconds: Times


def minute(schools: int, essays: Times, mean: float, random: np.random.Generator) -> Minute:
    """essays: expected of each school, at random moments; seconds are exponential, the hardest case."""
    counts = random.poisson(essays)
    total = int(counts.sum())
    order = random.permutation(total)
    of = np.repeat(np.arange(schools), counts)[order]
    return Minute(np.sort(random.uniform(0, MINUTE, total)), of, random.exponential(mean, total))


def sojourns(work: Minute, at: Numbers, machines: int, cold: NDArray[np.bool_], *, cores: int = CORES) -> Times:
    """Seconds from arrival to evidence; first come, first served. at: the machines of each school; cold: schools whose files
    are not in memory yet."""
    seconds = work.seconds.copy()
    _, first = np.unique(work.schools, return_index=True)
    first = first[cold[work.schools[first]]]
    seconds[first] += COLD
    free = np.zeros((machines, cores)).tolist()  # of each core, from when on
    taken = np.empty(len(seconds))
    homes = at[work.schools].tolist()
    for number, (arrival, its, choices) in enumerate(zip(work.arrivals.tolist(), seconds.tolist(), homes, strict=True)):
        its_cores = min((free[machine] for machine in choices), key=lambda cores: cores[0])
        begins = max(arrival, its_cores[0])
        heapreplace(its_cores, begins + its)
        taken[number] = begins + its - arrival
    return taken


@dataclass(frozen=True)
class Load:
    """mean: CPU seconds of an essay; essays of a school in the minute after a lesson, and in an ordinary one."""

    mean: float
    rush: float
    usual: float


def cases(schools: int, machines: int, load: Load, wanted: Sequence[str] = (*ORDINARY, *LESSON)) -> dict[str, float]:
    """Seconds in which 99 of 100 essays have their evidence, in each of the cases wanted."""
    ids = mixed(np.arange(machines, dtype=np.uint64) + np.uint64(1 << 40))
    at, left = placed(schools, ids), placed(schools, ids[1:]) + 1
    warm, moved = np.zeros(schools, bool), (at == 0).any(axis=1)
    ordinary, rush = np.full(schools, load.usual), np.full(schools, load.rush)
    hot = ordinary.copy()
    hot[0] *= HOT

    def seconds(essays: Times, at: Numbers, cold: NDArray[np.bool_]) -> float:
        taken = sojourns(minute(schools, essays, load.mean, np.random.default_rng(0)), at, machines, cold)
        return float(np.quantile(taken, 0.99)) if len(taken) else 0.0

    every = {
        "ordinary": (ordinary, at, warm),
        "machine lost": (ordinary, left, moved),
        "hot school": (hot, at, warm),
        "lesson's end": (rush, at, warm),
    }
    return {name: seconds(*every[name]) for name in wanted}


def sized(schools: int, load: Load, worst: Sequence[str], within: float) -> tuple[int, dict[str, float]]:
    """The fewest machines, in steps of a tenth, with which these cases are in time; and the seconds of all cases."""
    essays = load.rush if worst == LESSON else load.usual
    machines = max(2, ceil(schools * essays * load.mean / MINUTE / CORES / AIM))
    while max(cases(schools, machines, load, worst).values()) > within:
        machines = ceil(machines * 1.1) + 1
    return machines, cases(schools, machines, load)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("figures", type=Path, nargs="?", default=DEFAULT)
    parser.add_argument("--schools", default="100,1000,10000,100000")
    parser.add_argument("--seconds", type=float, default=5.0, help="in which 99 of 100 essays are to have their evidence")
    parser.add_argument("--essays", type=float, default=30.0, help="of a school in the minute after a lesson")
    parser.add_argument("--usual", type=float, default=0.5, help="of a school in an ordinary minute")
    given = parser.parse_args()
    stages = read_plan(given.figures).stages
    load = Load(stages.embed + stages.evidence, given.essays, given.usual)
    prices = {name: item["price"] for name, item in json.loads((HERE / "prices.json").read_text()).items() if name != "source"}
    month = json.loads((HERE / "use.json").read_text())["open_hours"] * HOUR
    month *= CORES * prices["cpu_second"] + GIBIBYTES * prices["gibibyte_second"]
    print(f"{load.mean:.2f} CPU seconds to the evidence; {CORES} cores, {GIBIBYTES} GiB: ${month:.0f} a month in open hours\n")
    print("| schools | sized for | machines | ordinary p99, s | one lost | hot school | lesson's end | $ a school, a month |")
    print(f"|{' --- |' * 8}")
    for schools in map(int, given.schools.split(",")):
        for name, worst in (("ordinary minutes", ORDINARY), ("lesson's end", LESSON)):
            machines, found = sized(schools, load, worst, given.seconds)
            seconds = (f"{each:.1f}" for each in found.values())
            cells = (f"{schools:,}", name, f"{machines:,}", *seconds, f"{machines * month / schools:.2f}")
            print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
