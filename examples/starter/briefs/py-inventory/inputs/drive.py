import os
import sys

sys.path.insert(0, os.getcwd())
import inventory  # noqa: E402

group, to = sys.argv[1], sys.argv[2]
lines = []


def tried(what, act):
    try:
        lines.append(what + " -> " + repr(act()))
    except Exception as error:
        lines.append(what + " -> " + type(error).__name__ + " " + repr(error.args))


def steps(what, on, calls):
    for name, *given in calls:
        tried(what + "." + name + repr(tuple(given)), lambda: getattr(on, name)(*given))
    tried(what + ".dump()", lambda: on.dump())


usual = [
    ("add", "Bolt", 10), ("add", " bolt ", 5), ("add", "nut", 3, "shed"), ("remove", "BOLT", 4), ("count", "bolt"),
    ("move", "bolt", 2, "main", "shed"), ("count", "bolt", "shed"), ("report", []), ("remove", "nut", 4, "shed"),
    ("remove", "nut", 3, "shed"), ("undo",), ("undo",), ("report", []), ("undo",),
]
odd = [
    ("undo",), ("add", "", 1), ("add", 5, 1), ("add", "a", 0), ("add", "a", 1.5), ("add", "a", True), ("add", "a", "2"),
    ("remove", "a", 1, "nowhere"), ("remove", "b", 1), ("remove", "b", -1), ("remove", " ", 1), ("count", "zzz"), ("count", "a", "nowhere"),
    ("move", "a", 1, "main", "main"), ("move", "a", 5, "main", "shed"), ("move", "a", 1, "main", "loft"), ("dump",), ("undo",), ("dump",),
    ("load", "[]"), ("load", "{"), ("dump",), ("undo",), ("load", '{"x": {"pin": 2, "cog": 2, "axle": 9}, "b": {}}'), ("undo",), ("report", ["first"]),
    ("remove", "pin", 2, "x"), ("add", "n1"), ("add", "n2"), ("add", "n3"), ("add", "n4"), ("add", "n5"), ("add", "n6"),
    ("undo",), ("undo",), ("undo",), ("undo",), ("undo",), ("undo",), ("count", 5),
]

if group == "ordinary":
    one, two = inventory.Inventory(), inventory.Inventory()
    steps("one", one, usual)
    steps("two", two, [("add", "cog", 2), ("undo",), ("add", "cog", 7)])
    steps("one", one, [("count", "cog"), ("undo",)])
    steps("module", inventory, usual)
    steps("two", two, [("count", "bolt")])
    tried("report", lambda: (one.report(), one.report(), two.report(), inventory.report()))
else:
    steps("module", inventory, odd)
    one = inventory.Inventory()
    steps("one", one, odd)
    other = one.copy()
    steps("copy", other, [("undo",), ("add", "only-here", 3, "x"), ("report", [])])
    steps("one", one, [("count", "only-here"), ("add", "n9"), ("undo",), ("undo",)])
    third = other.copy()
    steps("copy of copy", third, [("undo",), ("undo",)])
    steps("copy", other, [("count", "only-here")])
    kept = ["kept"]
    tried("report into a list", lambda: (one.report(kept) is kept, kept))
    tried("report", lambda: (one.report(), one.report(), inventory.report(), inventory.report()))
    steps("named", one, [])
    tried("names of parameters", lambda: (one.add(item="k", number=2, place="p"), one.remove(number=1, place="p", item="k"),
                                          one.move(item="k", number=1, origin="p", target="q"), one.count(place="q", item="k"),
                                          one.report(lines=[]), one.load(text="{}"), inventory.add(item="k", number=2, place="p")))
    text = '{"s": {"k": 1}}'
    one.load(text)
    other.load(text)
    steps("one", one, [("add", "k", 1, "s")])
    steps("copy", other, [("count", "k")])

with open(os.path.join(to, "outcomes.txt"), "w", encoding="utf-8") as out:
    out.write("\n".join(lines) + "\n")
