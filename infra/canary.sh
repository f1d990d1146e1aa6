#!/bin/sh
# A new revision of a Cloud Run service takes over step by step, or not at all.
#
#   canary.sh SERVICE REGION hold              before an apply: who answers now goes on answering, whatever is made
#   canary.sh SERVICE REGION try PERCENT URL   the newest revision gets PERCENT of all requests; URL has to answer 20 times
#   canary.sh SERVICE REGION promote           the newest gets all of them, and so will what Terraform makes of a changed setting
#   canary.sh SERVICE REGION back REVISION     an older one gets all of them: gcloud run revisions list tells their names
#
# URL is asked with its own share of the traffic, so some answers are the old revision's; errors of any of them end the trial,
# and the traffic goes back.
set -eu
service=$1 region=$2 step=$3

traffic() { gcloud run services update-traffic "$service" --region="$region" --quiet "$@"; }
field() { gcloud run services describe "$service" --region="$region" --format="value($1)"; }
answering() { # the revision named with the most traffic; none is named where the newest gets all
  gcloud run services describe "$service" --region="$region" --format=json | python3 -c '
import json, sys
print(max(json.load(sys.stdin)["spec"]["traffic"], key=lambda each: each.get("percent", 0)).get("revisionName", ""))'
}

case $step in
  hold) before=$(answering); traffic "--to-revisions=${before:-$(field status.latestReadyRevisionName)}=100" ;;
  try)
    before=$(answering) newest=$(field status.latestReadyRevisionName)
    if [ "$before" = "$newest" ]; then echo "$service: nothing new"; exit 0; fi
    traffic "--to-revisions=$newest=$4,$before=$((100 - $4))"
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
      curl --fail --silent --show-error --max-time 10 --output /dev/null "$5" || {
        traffic "--to-revisions=$before=100"
        echo "$service: back to $before" >&2
        exit 1
      }
    done
    ;;
  promote) traffic --to-latest ;;
  back) traffic "--to-revisions=$4=100" ;;
  *) echo "hold, try, promote or back: see the top of this file" >&2; exit 2 ;;
esac
