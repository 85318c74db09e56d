"""What is kept of the times of one contender."""

import math
import statistics


def percentile(ordered, share):
    """The smallest of the sorted times that `share` of them do not exceed."""
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def summary(times, digits=3):
    """{min, mean, std, median, p90, p95, p99} of `times`, which is not empty; in their
    unit, `std` of the population."""
    ordered = sorted(times)
    found = {"min": ordered[0], "mean": statistics.fmean(ordered),
             "std": statistics.pstdev(ordered), "median": statistics.median(ordered),
             "p90": percentile(ordered, 0.90), "p95": percentile(ordered, 0.95),
             "p99": percentile(ordered, 0.99)}
    return {name: round(value, digits) for name, value in found.items()}
