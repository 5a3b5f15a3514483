#!/usr/bin/env bash
# Carries files between a teacher and the students of The Littlest JupyterHub, on its machine, as root:
#
#     homes.sh give SHEET          a sheet to everybody, never over one that is there: again for who comes late
#     homes.sh take NAME FOLDER    what each student made of the sheet of this name, into a folder for you alone
#     homes.sh return FOLDER NAME  to each student their page of this folder, as NAME
#
# What touches a home is done as the student whose home it is: a link there may lead anywhere.
set -euo pipefail
homes=${HOMES:-/home/jupyter-} # what a home begins with; the student's name follows
course=attention-course        # the folder in each home, as start.sh makes it
most=32M                       # of a sheet: a thousand times what one takes

stop() {
  echo "$1" >&2
  exit 2
}

as() {
  local student=$1
  shift
  runuser -u "jupyter-$student" -- "$@" # as The Littlest JupyterHub calls its users
}

students() {
  local home
  for home in "$homes"*/; do
    [ -d "$home" ] || stop "There is no home $homes…: a student has one after the first sign-in."
    home=${home%/}
    echo "${home#"$homes"}"
  done
}

give() {
  [ -f "$1" ] || stop "There is no sheet $1: notebooks.py assignment makes one."
  local name student
  name=$(basename "$1")
  for student in $(students); do
    if ! as "$student" test -d "$homes$student/$course"; then
      echo "$student: not yet; no server was started, so there is no folder $course"
    elif as "$student" test -e "$homes$student/$course/$name"; then
      echo "$student: has one"
    else
      as "$student" tee "$homes$student/$course/$name" < "$1" > /dev/null
      echo "$student: given"
    fi
  done
}

take() {
  local name=$1 folder=$2 student
  install -d -m 700 "$folder"
  for student in $(students); do
    if id -nG "jupyter-$student" | grep -qw jupyterhub-admins; then
      echo "$student: teaches"
    elif as "$student" test -f "$homes$student/$course/$name"; then
      as "$student" head --bytes="$most" "$homes$student/$course/$name" > "$folder/$student.ipynb"
      echo "$student: taken"
    else
      echo "$student: has none"
    fi
  done
}

hand_back() {
  local folder=$1 name=$2 page student
  for page in "$folder"/*.html; do
    [ -f "$page" ] || stop "There is no page in $folder: notebooks.py grade writes them, into feedback/."
    student=$(basename "$page" .html)
    if [ -d "$homes$student" ]; then
      as "$student" tee "$homes$student/$course/$name" < "$page" > /dev/null
      echo "$student: returned"
    else
      echo "$student: nobody has this name"
    fi
  done
}

case "${1-} $#" in
  "give 2") give "$2" ;;
  "take 3") take "$2" "$3" ;;
  "return 3") hand_back "$2" "$3" ;;
  *) stop "give SHEET, take NAME FOLDER, or return FOLDER NAME: see the guide, deploy/hub/README.md." ;;
esac
