import sys
from collections import deque


def calm(limit, values):
    start, length, number = 0, 0, 0
    highest, lowest = deque(), deque()
    first = 0
    for last, value in enumerate(values):
        while highest and values[highest[-1]] <= value:
            highest.pop()
        highest.append(last)
        while lowest and values[lowest[-1]] >= value:
            lowest.pop()
        lowest.append(last)
        while values[highest[0]] - values[lowest[0]] > limit:
            if highest[0] == first:
                highest.popleft()
            if lowest[0] == first:
                lowest.popleft()
            first += 1
        number += last - first + 1
        if last - first + 1 > length:
            start, length = first, last - first + 1
    return start, length, number


limit = int(sys.stdin.readline())
values = [int(each) for each in sys.stdin.readline().split()]
print(*calm(limit, values))
