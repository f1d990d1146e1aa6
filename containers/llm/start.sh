#!/bin/sh
# Starts the server, or says what it lacks. What follows the image's name on the command line goes to vLLM, too.
set -eu

if [ -z "${VLLM_API_KEY:-}" ]; then
  echo "Nobody may ask a language model without a key: set VLLM_API_KEY, from a secret." >&2
  exit 2
fi
if [ ! -e "${MODELS:=/models}/${MODEL}/config.json" ]; then
  echo "${MODELS} holds no ${MODEL}: build the image with REVISION, or mount the bucket that has its files." >&2
  exit 2
fi

# Requests are essays: neither they nor what is answered is logged, and there is no access log.
exec vllm serve "${MODELS}/${MODEL}" \
  --served-model-name "${MODEL}" \
  --host 0.0.0.0 --port "${PORT}" \
  --max-model-len "${MAX_MODEL_LEN}" --max-num-seqs "${MAX_NUM_SEQS}" \
  --no-enable-log-requests --disable-uvicorn-access-log --disable-fastapi-docs \
  --middleware only_these.OnlyThese \
  "$@"
