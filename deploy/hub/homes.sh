#!/usr/bin/env bash
# Copies files between a teacher and the students of The Littlest JupyterHub. Run it as root on the hub's machine:
#
#     homes.sh give SHEET          copy a sheet into each home; a file that is there already stays as it is
#     homes.sh take NAME FOLDER    copy what each student made of the sheet of this name into a folder for you alone
#     homes.sh return FOLDER NAME  copy each student's page from this folder into their home, as NAME
#
# A failure for one student does not stop the others. All failures are listed at the end with their reasons, and the
# exit status is 1; 2 means that nothing was done.
#
# Every command that touches a home runs as the student who owns it, since a link there may lead anywhere. Root writes
# only into a folder in which no student can create a link.
set -euo pipefail
umask 077
shopt -s nullglob
unset LANGUAGE
export LC_ALL=C.UTF-8 # reasons in English, like the other words here, and names in any letters
homes=${HOMES:-/home/jupyter-} # the path of a home, up to the student's name
patience=${PATIENCE:-20}       # seconds for one student, since a named pipe or a dead network disk would block for ever
course=attention-course        # the folder in each home that start.sh creates
largest=32                     # the largest sheet in MB, a thousand times the usual size
nothing=3                      # the exit status if a student has no such folder or file yet
unserved=()

stop() {
  echo "$1" >&2
  exit 2
}

# --- These functions run as the student, in a shell of their own. `name` is the file's name in the course's folder.

fail() {
  echo "$1" >&2
  exit 1
}

present() {
  [ -e "$1" ] || [ -L "$1" ]
}

enter() {
  [ ! -L "$1" ] || fail "the home is a link; HOMES can name the place that it leads to"
  cd "$1"
  present "$2" || exit "$nothing"
  cd "$2"
}

# Write standard input to a temporary file and rename it, so that nobody ever finds half a file.
put() {
  part=$(mktemp ".$name.XXXXXX")
  trap "exit 1" TERM
  trap 'rm -f -- "$part"' EXIT
  cat > "$part"
  mv --force --no-target-directory -- "$part" "$name"
}

put_if_absent() {
  if [ -f "$name" ]; then
    echo "has one"
  elif present "$name"; then
    fail "$name is there and is no file"
  else
    put
    echo "given"
  fi
}

put_or_replace() {
  if present "$name" && { [ -L "$name" ] || [ ! -f "$name" ]; }; then
    fail "$name is there and is no file"
  fi
  put
}

show() {
  present "$name" || exit "$nothing"
  [ -f "$name" ] || fail "$name is no file"
  head --bytes="$((largest * 1024 * 1024 + 1))" -- "$name"
}

# --- These functions run as the caller, the teacher.

# Usage: as STUDENT FUNCTION NAME. Run one of the functions above as the student. It has no terminal, since input that a
# student pushes into root's terminal would run as root. It writes to files, since a student could hold a pipe open for
# ever.
as() {
  local student=$1 run
  run="$(declare -f fail present enter put put_if_absent put_or_replace show); "
  # shellcheck disable=SC2016 # expanded by the student's shell, not here
  run+='name=$1 nothing=$2 largest=$3; enter "$4" "$5"; '$2
  setsid --wait timeout --kill-after=5 "$patience" runuser -u "jupyter-$student" -- \
    bash -euc "$run" homes.sh "$3" "$nothing" "$largest" "$homes$student" "$course" \
    > "$scratch/output" 2> "$scratch/messages"
}

# Usage: say STUDENT WORDS. A home's name may hold any character, so only printable ones reach the terminal.
say() {
  echo "${1//[^[:print:]]/?}: $2"
}

# Usage: not_served STUDENT WHAT STATUS. Note a failure. Its reason is the end of the last error message.
not_served() {
  local reason
  reason=$(tail --lines=1 "$scratch/messages" | tr --complement --delete '[:print:]')
  case $3 in
    "$nothing") reason="there is no folder $course yet" ;;
    124 | 137) reason="no answer within $patience seconds" ;;
  esac
  unserved+=("$(say "$1" "$2, ${reason##*: }")")
}

find_students() {
  local home
  students=()
  for home in "$homes"*; do
    if ! timeout "$patience" test -f "$home"; then
      students+=("${home#"$homes"}")
    fi
  done
  [ ${#students[@]} -gt 0 ] || stop "There is no home $homes…: a student has one after the first sign-in."
}

is_student() {
  local student
  for student in "${students[@]}"; do
    [ "$student" != "$1" ] || return 0
  done
  return 1
}

teaches() {
  local groups
  groups=$(timeout "$patience" id -nG "jupyter-$1" 2> /dev/null) && [[ " $groups " == *" jupyterhub-admins "* ]]
}

# Usage: set_folder FOLDER [make]. Set `folder` to its real path, and stop unless the caller alone can create, rename or
# replace anything in it. With "make", create it if it is missing.
set_folder() {
  local above owner mode
  [ ! -L "${1%/}" ] || stop "$1 is a link: name the folder itself."
  above=$(cd -P -- "$(dirname -- "$1")" 2> /dev/null && pwd) || stop "There is no folder for $1 to lie in."
  folder=$above/$(basename -- "$1")
  while :; do
    read -r owner mode < <(stat --format="%u %a" -- "$above")
    if [ "$owner" != 0 ] && [ "$owner" != "$EUID" ] || ((0$mode & 022 && ! (0$mode & 01000))); then
      stop "$above can be changed by others, who could put links there: name a folder such as /root/week_2."
    fi
    [ "$above" != / ] || break
    above=$(dirname -- "$above")
  done
  [ "${2-}" != make ] || [ -e "$folder" ] || mkdir -- "$folder"
  [ -d "$folder" ] || stop "There is no folder $folder."
  mode=$(stat --format=%a -- "$folder")
  if [ ! -O "$folder" ] || ((0$mode & 022)); then
    stop "$folder is not yours alone, so others could put links there: name a folder such as /root/week_2."
  fi
}

# Usage: keep STUDENT. Copy the student's file to the folder, whole or not at all. A copy, since the student may still
# have the file open.
keep() {
  [ "$(stat --format=%s "$scratch/output")" -le $((largest * 1024 * 1024)) ] || {
    echo "larger than $largest MB"
    return 1
  }
  cp -- "$scratch/output" "$scratch/whole" &&
    mv --force --no-target-directory -- "$scratch/whole" "$folder/$1.ipynb"
} > "$scratch/messages" 2>&1

give() {
  local student status name
  name=$(basename -- "$1")
  for student in "${students[@]}"; do
    status=0
    as "$student" put_if_absent "$name" < "$1" || status=$?
    case $status in
      0) say "$student" "$(cat "$scratch/output")" ;;
      "$nothing") say "$student" "not yet; no server was started, so there is no folder $course" ;;
      *) not_served "$student" "not given" "$status" ;;
    esac
  done
}

take() {
  local student status
  for student in "${students[@]}"; do
    status=0
    if teaches "$student"; then
      say "$student" "teaches"
      continue
    fi
    as "$student" show "$1" < /dev/null && keep "$student" || status=$?
    case $status in
      0) say "$student" "taken" ;;
      "$nothing") say "$student" "has none" ;;
      *) not_served "$student" "not taken" "$status" ;;
    esac
  done
}

hand_back() {
  local page student status
  for page in "$@"; do
    student=$(basename -- "$page" .html)
    status=1
    if [ -L "$page" ] || [ ! -f "$page" ]; then
      echo "the page is a link or no file" > "$scratch/messages"
    elif ! is_student "$student"; then
      echo "nobody has this name" > "$scratch/messages"
    else
      as "$student" put_or_replace "$name" < "$page" && status=0 || status=$?
    fi
    case $status in
      0) say "$student" "returned" ;;
      *) not_served "$student" "not returned" "$status" ;;
    esac
  done
}

folder=""
scratch=""
trap 'rm -rf -- "$scratch"' EXIT
make_scratch() {
  scratch=$(mktemp -d "${folder:-${TMPDIR:-/tmp}}/.homes.XXXXXX")
}
case "${1-} $#" in
  "give 2")
    [ -f "$2" ] && [ -r "$2" ] || stop "There is no sheet $2: notebooks.py assignment makes one."
    find_students
    make_scratch
    give "$2"
    ;;
  "take 3")
    [[ $2 != */* ]] || stop "$2 is no name: files lie in $course, beside the notebooks."
    find_students
    set_folder "$3" make
    make_scratch
    take "$2"
    ;;
  "return 3")
    [[ $3 != */* ]] || stop "$3 is no name: files lie in $course, beside the notebooks."
    set_folder "$2"
    pages=("$folder"/*.html)
    [ ${#pages[@]} -gt 0 ] || stop "There is no page in $2: notebooks.py grade writes them, into feedback/."
    find_students
    make_scratch
    name=$3 hand_back "${pages[@]}"
    ;;
  *) stop "give SHEET, take NAME FOLDER, or return FOLDER NAME: see the guide, deploy/hub/README.md." ;;
esac
if [ ${#unserved[@]} -gt 0 ]; then
  printf "%s\n" "" "Not served:" "${unserved[@]}" >&2
  exit 1
fi
