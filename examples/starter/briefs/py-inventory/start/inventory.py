"""An inventory: how many of each item are in which place."""

import json

places = {}
history = []
MOST_STEPS = 5


def remember():
    history.append(json.dumps(places))
    if len(history) > MOST_STEPS:
        history.pop(0)


def add(item, number=1, place="main"):
    if not isinstance(item, str) or item.strip() == "":
        raise ValueError("an item needs a name")
    if not isinstance(number, int) or number < 1:
        raise ValueError("add needs a number of at least 1, not " + repr(number))
    remember()
    shelf = places.setdefault(place, {})
    name = item.strip().lower()
    shelf[name] = shelf.get(name, 0) + number
    return shelf[name]


def remove(item, number=1, place="main"):
    if not isinstance(item, str) or item.strip() == "":
        raise ValueError("an item needs a name")
    if not isinstance(number, int) or number < 1:
        raise ValueError("remove needs a number of at least 1, not " + repr(number))
    name = item.strip().lower()
    shelf = places.get(place)
    if shelf is None:
        raise KeyError(place)
    if shelf.get(name, 0) < number:
        raise ValueError("there are only " + str(shelf.get(name, 0)) + " of " + name)
    remember()
    shelf[name] = shelf[name] - number
    if shelf[name] == 0:
        del shelf[name]
    return shelf.get(name, 0)


def count(item, place=None):
    name = item.strip().lower()
    if place is None:
        total = 0
        for shelf in places.values():
            total += shelf.get(name, 0)
        return total
    return places.get(place, {}).get(name, 0)


def move(item, number, origin, target):
    """Both parts are separate steps of undo. If the first one fails, nothing has changed."""
    remove(item, number, origin)
    return add(item, number, target)


def undo():
    """Returns False if there is no step left."""
    global places
    if not history:
        return False
    places = json.loads(history.pop())
    return True


def report(lines=[]):
    for place in sorted(places):
        for name in sorted(places[place], key=lambda each: (-places[place][each], each)):
            lines.append(place + ": " + str(places[place][name]) + " " + name)
    return lines


def load(text):
    """Replaces the contents. There is nothing to undo afterwards."""
    global places, history
    read = json.loads(text)
    if not isinstance(read, dict):
        raise TypeError("not an inventory")
    places = read
    history = []


def dump():
    return json.dumps(places, sort_keys=True)
