#!/bin/sh
# A new image into every program of a deployment on Google Cloud; where traffic is held (canary.sh hold), no request goes there yet.
#
#   deploy.sh PREFIX REGION IMAGE EMBEDDER-IMAGE     deploy.sh cv-school europe-west1 …/app@sha256:… …/app@sha256:…
set -eu
prefix=$1 region=$2 app=$3 embedder=$4
gcloud run deploy "$prefix-embedder" --region="$region" --quiet --container=app --image="$embedder"
for service in uploaded deleted nightly api; do
  gcloud run deploy "$prefix-$service" --region="$region" --quiet --container=app --image="$app"
done
gcloud run jobs update "$prefix-admin" --region="$region" --image="$app" --quiet
