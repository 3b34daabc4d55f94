# Runs the script of the submission, in the working directory. Each result has the output and the exit code.
here=$(dirname "$0")
to=${2:-/result}
try() {
  name=$1
  log=$2
  shift 2
  timeout 20 bash top.sh "$@" < "$here/$log" > "$to/$name"
  echo "exit code $?" >> "$to/$name"
}
case $1 in
  ordinary)
    try three day 3
    try one day 1
    try all day 999
    try nothing empty 5
    ;;
  corners)
    try forms forms 50
    try few forms 2
    try zero day 0
    try padded day 03
    try signed day +3
    try large day 1000
    try word day three
    try lines day '3
4'
    try none day
    try two day 3 4
    try empty day ''
    try ten day 10
    ;;
esac
