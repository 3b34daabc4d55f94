#!/usr/bin/env bash
# Shows a fleet in about a minute, without an account or a network: npm run demo:fleet
# Every line after a $ is a command that runs here as it is printed. All of it is in a temporary home, removed at the end.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
checkout=$PWD
place=$(mktemp -d)
server=
finish() {
  trap - EXIT
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  for each in "$place"/home/.local/share/paddock/fleet/agents/*/host/host.json; do
    [ ! -e "$each" ] || kill "$(sed -n 's/.*"pid": *\([0-9]*\).*/\1/p' "$each")" 2>/dev/null || true
  done
  sleep 1
  rm -rf "$place"
}
trap finish EXIT
trap 'exit 130' INT TERM

export HOME="$place/home"
unset PADDOCK_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_CACHE_HOME
mkdir -p "$HOME/bin"
ln -s "$checkout/bin/paddock.mjs" "$HOME/bin/paddock"
export PATH="$HOME/bin:$PATH"

step() { printf '\n\033[1m%s\033[0m\n' "$1"; }
run() {
  printf '$ %s\n' "$1"
  eval "$1"
}
serve() {
  rm -f "$HOME/ready.json"
  printf '$ paddock serve &\n'
  paddock serve --listen 127.0.0.1:0 --ready-file "$HOME/ready.json" &
  server=$!
  for _ in $(seq 100); do
    [ ! -e "$HOME/ready.json" ] || return 0
    sleep 0.1
  done
  echo "demo: the server did not start" >&2
  exit 125
}
newest() { paddock job list --limit 1 --json | sed -n 's/^ *"id": "\(j-[^"]*\)".*/\1/p' | head -1; }

echo 'All of this happens in a temporary home, which is removed at the end.'

step 'A project, and leave for the fleet to work on it'
mkdir -p "$HOME/projects/hello" "$HOME/.config/paddock"
run "echo 'Hello, wrold!' > ~/projects/hello/greeting.txt"
run "printf 'schemaVersion: 1\nfleet:\n  projects: [~/projects]\n' > ~/.config/paddock/config.yaml"

step 'A server, and an agent'
serve
run 'paddock agent create examples/fleet/fixer.yaml'

step 'A job: the agent works on a copy, and what it changed waits for you'
run "paddock job run fixer --prompt 'Correct the spelling.'"
job=$(newest)
run "paddock job review $job"
run "paddock job apply $job"
run 'cat ~/projects/hello/greeting.txt'

step 'A job goes on while its server is killed and replaced'
run 'paddock agent create examples/fleet/slow.yaml'
run "paddock job run slow --prompt 'Count.' --detach"
job=$(newest)
sleep 2
run "kill -9 $server"
wait "$server" 2>/dev/null || true
serve
run "paddock job watch $job"
run 'paddock job list'

step 'The fleet of your own: docs/guide/fleet.md'
