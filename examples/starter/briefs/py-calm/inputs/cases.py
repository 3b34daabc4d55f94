"""Prints the names of the cases of a group, or one case."""

import sys


def numbers(seed, count, most):
    values = []
    for _ in range(count):
        seed = (seed * 1103515245 + 12345) % 2**31
        values.append((seed >> 8) % most)
    return values


def steps(seed, count):
    value, values = 0, []
    for each in numbers(seed, count, 3):
        value += each - 1
        values.append(value)
    return values


cases = {
    "ordinary": {
        "example": lambda: (2, [1, 3, 2, 7, 6]),
        "nothing": lambda: (0, []),
        "small": lambda: (40, numbers(1, 200, 100)),
        "alike": lambda: (0, [7] * 300_000),
        "random": lambda: (600_000, numbers(2, 300_000, 1_000_000)),
    },
    "corners": {
        "one": lambda: (0, [-5]),
        "ties": lambda: (1, [5, 5, 9, 9, 1, 2, 8, 8]),
        "zero": lambda: (0, [1, 1, 2, 2, 2, 1, 1, 1]),
        "negative": lambda: (10, [each - 50 for each in numbers(3, 500, 100)]),
        "rising": lambda: (250_000, list(range(300_000))),
        "falling": lambda: (299_999, list(range(300_000, 0, -1))),
        "walk": lambda: (300, steps(4, 300_000)),
        "wide": lambda: (10**15, [(-1) ** at * 10**14 for at in range(300_000)]),
        "saw": lambda: (149_998, [at % 150_000 for at in range(300_000)]),
    },
}
chosen = cases[sys.argv[1]]
if len(sys.argv) == 2:
    print(*chosen)
else:
    limit, values = chosen[sys.argv[2]]()
    print(limit)
    print(*values)
