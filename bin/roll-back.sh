#!/usr/bin/env bash
# npm run -s roll-back -- <stage> <time>: points the alias of each function that was released since then, in UTC such as
# 2026-11-20T19:00, to its newest version from before, and prints which. A repetition changes nothing.
set -euo pipefail
stage=${1:?a stage, such as prod} released=${2:?the time when the release began, in UTC}
functions=$(aws lambda list-functions --query "Functions[?starts_with(FunctionName, 'AuthService-$stage-')].FunctionName" --output text)
for function in $functions; do
  read -r current modified < <(aws lambda get-function-configuration --function-name "$function" --qualifier live \
    --query '[Version, LastModified]' --output text 2>/dev/null) || continue
  [[ $modified > $released ]] || continue
  # A --query runs on each page of 50 versions, so what compares them all comes after it.
  previous=$(aws lambda list-versions-by-function --function-name "$function" --query 'Versions[].[Version, LastModified]' \
    --output text | awk -v released="$released" '$1 + 0 > 0 && $2 < released { print $1 }' | sort -n | tail -n 1)
  [ -n "$previous" ] || continue
  aws lambda update-alias --function-name "$function" --name live --function-version "$previous" \
    --routing-config AdditionalVersionWeights={} >/dev/null
  echo "$function: from version $current to $previous"
done
