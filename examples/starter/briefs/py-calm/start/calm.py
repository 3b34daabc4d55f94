import sys


def calm(limit, values):
    start, length, number = 0, 0, 0
    for first in range(len(values)):
        for last in range(first, len(values)):
            stretch = values[first : last + 1]
            if max(stretch) - min(stretch) > limit:
                break
            number += 1
            if len(stretch) > length:
                start, length = first, len(stretch)
    return start, length, number


limit = int(sys.stdin.readline())
values = [int(each) for each in sys.stdin.readline().split()]
print(*calm(limit, values))
