# Prints a log of 60,000 lines that are not sorted.
from datetime import datetime, timedelta

first = datetime(2026, 3, 1)
for at in range(60000):
    time = first + timedelta(seconds=at * 7919 * 13 % 2000003)
    print(f"{time:%Y-%m-%dT%H:%M:%SZ}\tu{at * 31 % 50}\tGET\t/p{at % 9}\t{200 if at % 7 else 503}")
