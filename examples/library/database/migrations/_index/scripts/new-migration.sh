#!/bin/sh
# Prints the file name and the first lines of a new migration. Writes nothing.
# Arguments: SKILL_ARG_TITLE, SKILL_ARG_TABLE, and optionally SKILL_ARG_VERSION.
set -eu
LC_ALL=C
export LC_ALL

fail() {
  printf 'new-migration: %s\n' "$1" >&2
  exit 1
}

title=${SKILL_ARG_TITLE:-}
table=${SKILL_ARG_TABLE:-}
version=${SKILL_ARG_VERSION:-}

[ -n "$title" ] || fail "the argument 'title' is empty"
case $title in
  *[![:print:]]*) fail "the title may hold only plain letters (a-z), digits, signs and spaces, on one line" ;;
esac
case $table in
  '') fail "the argument 'table' is empty" ;;
  [0-9]* | *[!a-z0-9_]*) fail "'$table' is not a table name: use a-z, 0-9 and _, and start with a letter" ;;
esac

[ -n "$version" ] || version=$(date -u +%Y%m%d%H%M%S)
case $version in
  *[!0-9]*) fail "the version '$version' may hold only digits" ;;
esac
[ ${#version} -eq 14 ] || fail "the version '$version' must have 14 digits: year, month, day, hours, minutes, seconds"

# "Add email to customers!" becomes add_email_to_customers.
slug=$(printf '%s' "$title" | tr 'A-Z' 'a-z' | tr -cs 'a-z0-9' '_')
slug=${slug#_}
slug=${slug%_}
[ -n "$slug" ] || fail "the title needs at least one letter or digit"

cat <<MIGRATION
file: ${version}_${slug}.sql

-- ${version}: ${title}
-- Reason:

-- up
SET lock_timeout = '2s';

ALTER TABLE ${table}
  ;

-- down
SET lock_timeout = '2s';

ALTER TABLE ${table}
  ;
MIGRATION
