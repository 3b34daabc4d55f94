import re
import sys
from datetime import datetime, timezone

FORM = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)\t([a-z0-9-]+)\t(GET|POST|PUT|DELETE)\t(/[^ \t]*)\t([1-5]\d\d)", re.ASCII)
GAP = 30 * 60


def parsed(raw):
    try:
        found = FORM.fullmatch(raw.decode("utf-8"))
        if found is None:
            return None
        text, user, _, path, status = found.groups()
        time = datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc)
    except ValueError:
        return None
    return int(time.timestamp()), text, user, path, int(status)


def quoted(text):
    return '"' + text.replace('"', '""') + '"' if "," in text or '"' in text else text


def main():
    lines = sys.stdin.buffer.read().split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    requests, broken = [], 0
    for at, raw in enumerate(lines):
        request = parsed(raw)
        if request is None:
            broken += 1
        else:
            requests.append((request[0], at, request))
    open_sessions, sessions = {}, []
    for time, _, (_, text, user, path, status) in sorted(requests):
        session = open_sessions.get(user)
        if session is None or time - session["last"] > GAP:
            session = {"user": user, "start": text, "first": time, "requests": 0, "errors": 0, "entry": path.split("?")[0]}
            open_sessions[user] = session
            sessions.append(session)
        session["last"] = time
        session["requests"] += 1
        session["errors"] += status >= 400
    print("user,start,seconds,requests,errors,entry")
    for each in sorted(sessions, key=lambda each: (each["first"], each["user"])):
        seconds = each["last"] - each["first"]
        print(each["user"], each["start"], seconds, each["requests"], each["errors"], quoted(each["entry"]), sep=",")
    print(f"# broken lines: {broken}")


sys.stdout.reconfigure(encoding="utf-8", newline="\n")
main()
