#!/bin/sh
# Set the base images in infra/.env by digest, so that every later build and start takes the same ones:
#   infra/pin.sh            asks the registry for the digests of today; again for newer ones
#   infra/pin.sh --check    names the images without a digest, and fails if there are any
set -eu
cd "$(dirname "$0")"
umask 077
loose=0
for image in $(grep -o '{[A-Z]*_IMAGE:-[^}]*}' compose.yaml | tr -d '{}' | sort -u); do
  name=${image%%:-*}
  chosen=$(sed -n "s/^$name=//p" .env | tail -n 1)
  chosen=${chosen:-${image#*:-}}
  if [ "${1:-}" = --check ]; then
    case $chosen in *@sha256:*) ;; *) echo "$name=$chosen has no digest: run infra/pin.sh" >&2; loose=1 ;; esac
    continue
  fi
  digest=$(docker buildx imagetools inspect "${chosen%@*}" --format '{{.Manifest.Digest}}')
  case $digest in sha256:*) ;; *) echo "No digest of ${chosen%@*}: $digest" >&2; exit 1 ;; esac
  { sed "/^$name=/d" .env; echo "$name=${chosen%@*}@$digest"; } > .env.new
  mv .env.new .env
  echo "$name=${chosen%@*}@$digest"
done
exit "$loose"
