#!/bin/sh
# A copy of what cannot be made anew: the catalog, and PDFs with what was read of them. Not the index: it is made from these.
#
#   infra/backup.sh FOLDER            writes FOLDER/catalog.dump and FOLDER/app.tar
#   infra/backup.sh --restore FOLDER  into an empty stack (docker compose up --wait before); then the index is made anew
#
# Both are taken while the stack runs. The catalog first: what it names is then among the files, which are never changed.
set -eu
compose() { docker compose -f "$(dirname "$0")/compose.yaml" "$@"; }
home=${CHAPTERVERSE_HOME:-/var/lib/chapterverse} # within the container

if [ "${1:-}" = --restore ]; then
  from=${2:?name the folder}
  compose exec -T postgres pg_restore --username chapterverse --dbname chapterverse --clean --if-exists --no-owner < "$from/catalog.dump"
  compose exec -T app tar -x -f - -C "$home" < "$from/app.tar"
  compose exec -T app chapterverse index fill
  compose restart app
else
  to=${1:?name a folder}
  mkdir -p "$to"
  compose exec -T postgres pg_dump --username chapterverse --format custom chapterverse > "$to/catalog.dump.part"
  compose exec -T app tar -c -f - -C "$home" --exclude=./models --exclude=./hub --exclude=./chroma --exclude=./vectors . > "$to/app.tar.part"
  mv "$to/catalog.dump.part" "$to/catalog.dump"
  mv "$to/app.tar.part" "$to/app.tar"
fi
