"""Inventories: how many of each item are in which place."""

import json

MOST_STEPS = 5


class Inventory:
    def __init__(self):
        self._places = {}
        self._history = []

    def add(self, item, number=1, place="main"):
        name = _checked("add", item, number)
        self._remember()
        shelf = self._places.setdefault(place, {})
        shelf[name] = shelf.get(name, 0) + number
        return shelf[name]

    def remove(self, item, number=1, place="main"):
        name = _checked("remove", item, number)
        shelf = self._places.get(place)
        if shelf is None:
            raise KeyError(place)
        if shelf.get(name, 0) < number:
            raise ValueError("there are only " + str(shelf.get(name, 0)) + " of " + name)
        self._remember()
        shelf[name] = shelf[name] - number
        if shelf[name] == 0:
            del shelf[name]
        return shelf.get(name, 0)

    def count(self, item, place=None):
        name = item.strip().lower()
        if place is None:
            return sum(shelf.get(name, 0) for shelf in self._places.values())
        return self._places.get(place, {}).get(name, 0)

    def move(self, item, number, origin, target):
        """Both parts are separate steps of undo. If the first one fails, nothing has changed."""
        self.remove(item, number, origin)
        return self.add(item, number, target)

    def undo(self):
        """Returns False if there is no step left."""
        if not self._history:
            return False
        self._places = json.loads(self._history.pop())
        return True

    def report(self, lines=None):
        lines = [] if lines is None else lines
        for place in sorted(self._places):
            shelf = self._places[place]
            for name in sorted(shelf, key=lambda each: (-shelf[each], each)):
                lines.append(place + ": " + str(shelf[name]) + " " + name)
        return lines

    def load(self, text):
        """Replaces the contents. There is nothing to undo afterwards."""
        read = json.loads(text)
        if not isinstance(read, dict):
            raise TypeError("not an inventory")
        self._places = read
        self._history = []

    def dump(self):
        return json.dumps(self._places, sort_keys=True)

    def copy(self):
        other = Inventory()
        other._places = json.loads(json.dumps(self._places))
        other._history = list(self._history)
        return other

    def _remember(self):
        self._history.append(json.dumps(self._places))
        if len(self._history) > MOST_STEPS:
            self._history.pop(0)


def _checked(what, item, number):
    if not isinstance(item, str) or item.strip() == "":
        raise ValueError("an item needs a name")
    if not isinstance(number, int) or number < 1:
        raise ValueError(what + " needs a number of at least 1, not " + repr(number))
    return item.strip().lower()


_own = Inventory()
add = _own.add
remove = _own.remove
count = _own.count
move = _own.move
undo = _own.undo
report = _own.report
load = _own.load
dump = _own.dump
