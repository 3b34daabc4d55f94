import csv
import io
import re
import sys
from datetime import date

EMAIL = re.compile(r"[^@ ]+@[a-z0-9-]+(\.[a-z0-9-]+)+")
PHONE = re.compile(r"\+[1-9][0-9]{7,14}")


def email_of(text):
    text = text.lower()
    return text if EMAIL.fullmatch(text) else ""


def phone_of(text):
    text = re.sub(r"[ \-()./]", "", text)
    if text.startswith("00"):
        text = "+" + text[2:]
    if text.startswith("0"):
        text = "+49" + text[1:]
    return text if PHONE.fullmatch(text) else ""


def born_of(text):
    for form, order in (
        (r"([0-9]{4})-([0-9]{2})-([0-9]{2})", (1, 2, 3)),
        (r"([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})", (3, 2, 1)),
        (r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})", (3, 1, 2)),
    ):
        found = re.fullmatch(form, text)
        if found is None:
            continue
        year, month, day = (int(found.group(each)) for each in order)
        try:
            return date(year, month, day).isoformat() if 1900 <= year <= 2025 else ""
        except ValueError:
            return ""
    return ""


def quoted(text):
    return '"' + text.replace('"', '""') + '"' if re.search(r'[,"\r\n]', text) else text


def main():
    read = csv.reader(io.StringIO(sys.stdin.buffer.read().decode("utf-8"), newline=""))
    next(read, None)
    people = []
    for fields in read:
        if len(fields) != 4:
            continue
        name, email, phone, born = (" ".join(each.split()) for each in fields)
        record = (name, email_of(email), phone_of(phone), born_of(born))
        if record[1] or record[2]:
            people.append(record)
    parent = list(range(len(people)))

    def root(at):
        while parent[at] != at:
            parent[at] = parent[parent[at]]
            at = parent[at]
        return at

    first = {}
    for at, record in enumerate(people):
        for field in (1, 2):
            if record[field]:
                a, b = root(at), root(first.setdefault((field, record[field]), at))
                parent[max(a, b)] = min(a, b)
    groups = {}
    for at, record in enumerate(people):
        groups.setdefault(root(at), []).append(record)
    print("name,email,phone,born")
    for records in groups.values():
        merged = [max((each[0] for each in records), key=len)]
        merged += [next((each[field] for each in records if each[field]), "") for field in (1, 2, 3)]
        print(",".join(quoted(each) for each in merged))


sys.stdout.reconfigure(encoding="utf-8", newline="\n")
main()
