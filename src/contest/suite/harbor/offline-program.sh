#!/bin/sh
# Takes the place of a program that fetches packages, in a cell without network: the program has the name of this file. It succeeds if this
# machine has what it is asked for, and otherwise fails with a sentence that says what is missing.
set -f
name=${0##*/}
own=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

fail() {
  echo "$name: $* (programs that fetch packages are replaced here, because this cell has no network)" >&2
  exit 1
}

# Prints the path of the program that this one covers.
real() {
  (
    IFS=:
    for each in $PATH; do
      [ "$each" = "$own" ] || [ ! -f "$each/$1" ] || [ ! -x "$each/$1" ] || { echo "$each/$1" && exit 0; }
    done
    exit 1
  )
}

run_real() {
  program=$(real "$1") || fail "this cell does not have $1"
  shift
  exec "$program" "$@"
}

python() {
  run_real python3 "$@"
}

# Fails if python3 does not have these distributions: names, or requirements such as pytest==8.4.1. Versions may differ.
need_python() {
  [ $# -eq 0 ] && return
  program=$(real python3) || fail 'this cell does not have python3'
  missing=$("$program" -c '
import importlib.metadata as m, os, re, sys
for each in sys.argv[2:]:
    if each[0] in "<>=!~":
        continue
    found = re.match(r"[\w.-]+", each)
    if not found:
        print("what " + each + " stands for")
        break
    if os.path.exists(sys.argv[1]) and re.sub(r"[-_.]+", "-", found[0]).lower() == "pytest-json-ctrf":
        continue
    try:
        m.distribution(found[0])
    except m.PackageNotFoundError:
        print("the Python package " + found[0])
        break
' "$own/paddock_ctrf.py" "$@") || exit 1
  [ -z "$missing" ] || fail "this cell does not have $missing"
}

pip_install() {
  wanted=
  while [ $# -gt 0 ]; do
    case $1 in
      -r | --requirement | --requirements)
        [ -r "${2-}" ] || fail "${2-} cannot be read"
        wanted="$wanted $(sed 's/[[:space:]]*#.*//; /^[[:space:]]*-/d; s/[[:space:];].*//' "$2" | tr '\n' ' ')"
        shift
        ;;
      -e | --editable | -t | --target) fail "$1 is not possible" ;;
      -i | --index-url | --extra-index-url | --default-index | --index | -f | --find-links | -c | --constraint | --constraints | \
        --root-user-action | --timeout | --retries | --proxy | --trusted-host | --cert | --cache-dir | --log | --progress-bar | \
        --only-binary | --no-binary | --platform | --python-version | --upgrade-strategy | -p | --python | --index-strategy | --prefix) shift ;;
      -*) ;;
      *) wanted="$wanted $1" ;;
    esac
    shift
  done
  # shellcheck disable=SC2086
  need_python $wanted
}

# Runs a command of `uv run` or `uvx` with the python3 of this machine.
run_tool() {
  tool=$1
  shift
  case ${tool%%@*} in
    pytest | py.test) python -m pytest "$@" ;;
    python | python3 | python3.*) python "$@" ;;
    -m) python -m "$@" ;;
    -) python - "$@" ;;
    *.py) python "$tool" "$@" ;;
  esac
  program=$(real "${tool%%@*}") || python -m "$(echo "${tool%%@*}" | tr - _)" "$@"
  exec "$program" "$@"
}

# Reads the options of `uv run` and `uvx` ($1), and runs the command.
uv_run() {
  kind=$1
  shift
  wanted=
  from=
  while [ $# -gt 0 ]; do
    case $1 in
      --with | -w) wanted="$wanted $(echo "${2-}" | tr , ' ')" && shift ;;
      --with=*) wanted="$wanted $(echo "${1#*=}" | tr , ' ')" ;;
      -w?*) wanted="$wanted ${1#-w}" ;;
      --from) from=${2-} && shift ;;
      --from=*) from=${1#*=} ;;
      --directory) cd -- "${2-}" && shift ;;
      --with-editable | --with-requirements) fail "$1 is not possible" ;;
      --python | -p | --index-url | --index | --default-index | -i | --extra-index-url | --project | --env-file | --extra | --group | \
        --constraints | -c | --cache-dir | --config-file | --color | --prerelease | --resolution | --link-mode | --exclude-newer) shift ;;
      -m | -) break ;;
      --)
        shift
        break
        ;;
      -*) ;;
      *) break ;;
    esac
    shift
  done
  [ $# -gt 0 ] || fail 'no command is given'
  if [ "$kind" = uvx ]; then wanted="$wanted ${from:-${1%%@*}}"; fi
  case $kind:$1 in run:pytest | run:py.test) wanted="$wanted pytest" ;; esac
  # shellcheck disable=SC2086
  need_python $wanted
  run_tool "$@"
}

uv() {
  while :; do
    case ${1-} in
      -q | --quiet | -v | --verbose | -n | --no-cache | --offline | --no-progress | --native-tls) shift ;;
      *) break ;;
    esac
  done
  command=${1-}
  [ $# -eq 0 ] || shift
  case $command in
    run) uv_run run "$@" ;;
    tool)
      [ "${1-}" = run ] || fail "uv tool ${1-} is not possible"
      shift
      uv_run uvx "$@"
      ;;
    add) pip_install "$@" ;;
    pip)
      case ${1-} in
        install)
          shift
          pip_install "$@"
          ;;
        list | show | freeze | check) python -m pip "$@" ;;
        *) fail "uv pip ${1-} is not possible" ;;
      esac
      ;;
    venv)
      directory=.venv
      while [ $# -gt 0 ]; do
        case $1 in
          --python | -p | --prompt | --seed-packages) shift ;;
          -*) ;;
          *) directory=$1 ;;
        esac
        shift
      done
      python -m venv --system-site-packages --without-pip "$directory"
      ;;
    init | python | lock | cache | self | generate-shell-completion) ;;
    --version | -V | version) echo 'uv 0 (replaced by Paddock)' ;;
    *) fail "uv $command is not possible" ;;
  esac
}

# The installer that curl and wget print instead of that of uv.
print_installer() {
  cat << EOF
mkdir -p "\$HOME/.local/bin" && : > "\$HOME/.local/bin/env"
for each in uv uvx; do
  printf '#!/bin/sh\nexec $own/%s "\$@"\n' \$each > "\$HOME/.local/bin/\$each" && chmod +x "\$HOME/.local/bin/\$each"
done
EOF
}

# Downloads with $1, or writes the installer of uv to the file that the options name.
download() {
  program=$1
  shift
  case " $* " in
    *://astral.sh/uv/* | *://github.com/astral-sh/uv/*) ;;
    *) run_real "$program" "$@" ;;
  esac
  output=
  while [ $# -gt 0 ]; do
    case $program:$1 in
      curl:-o | curl:--output | wget:-O | wget:--output-document) output=${2-} && shift ;;
      curl:-*o | wget:-*O) output=${2-} && shift ;;
      curl:-o* | wget:-O*) output=${1#-?} ;;
      wget:-*O-) output=- ;;
      wget:http*) [ -n "$output" ] || output=${1##*/} ;;
    esac
    shift
  done
  case $output in
    '' | -) print_installer ;;
    *) print_installer > "$output" ;;
  esac
}

apt() {
  while [ $# -gt 0 ]; do
    case $1 in
      -o | -t | -c | --option | --target-release) shift ;;
      -*) ;;
      *) break ;;
    esac
    shift
  done
  command=${1-}
  [ $# -eq 0 ] || shift
  case $command in
    install) ;;
    update | upgrade | dist-upgrade | clean | autoclean | autoremove) return ;;
    *) fail "$name $command is not possible" ;;
  esac
  while [ $# -gt 0 ]; do
    case $1 in
      -o | -t | -c | --option | --target-release) shift ;;
      -*) ;;
      *)
        package=${1%%[=:/]*}
        command -v "$package" > /dev/null || dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2> /dev/null | grep -q '^ii' ||
          need_of_package "$package"
        ;;
    esac
    shift
  done
}

# Debian's packages of Python libraries may be installed in another way.
need_of_package() {
  case $1 in
    python3-pip) [ -e "$own/pip" ] || (need_python pip) || exit 1 ;;
    python3-venv) ;;
    python3-*) (need_python "${1#python3-}") || exit 1 ;;
    *) fail "this cell does not have the Debian package $1" ;;
  esac
}

case $name in
  apt | apt-get) apt "$@" ;;
  curl | wget) download "$name" "$@" ;;
  uv) uv "$@" ;;
  uvx) uv_run uvx "$@" ;;
  pip | pip3)
    if [ "${1-}" = install ]; then
      shift
      pip_install "$@"
    else
      python -m pip "$@"
    fi
    ;;
  pytest) python -m pytest "$@" ;;
  python | python3)
    if [ "${1-} ${2-} ${3-}" = '-m pip install' ]; then
      shift 3
      pip_install "$@"
    elif [ "${1-} ${2-}" = '-m uv' ]; then
      shift 2
      uv "$@"
    else
      python "$@"
    fi
    ;;
  *) fail 'there is nothing that it can do' ;;
esac
