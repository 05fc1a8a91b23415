#!/usr/bin/env bash
# npm run -s roll-back -- <stage> <time>: points the alias of each function that was released since then, in UTC such as
# 2026-11-20T19:00, to its newest earlier version, and prints them. Reads all functions before it switches the first
# one. Running it again changes nothing.
set -euo pipefail
stage=${1:?a stage, such as prod} released=${2:?the time when the release began, in UTC}
# The time is compared as text, so another format would be earlier or later than every version.
[[ $released =~ ^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2} ]] ||
  { echo "$released is not a time in UTC: pass one such as 2026-11-20T19:00" >&2; exit 1; }
functions=$(aws lambda list-functions --query "Functions[?starts_with(FunctionName, 'AuthService-$stage-')].FunctionName" --output text)
[ -n "$functions" ] || { echo "The stage $stage has no functions here: check its name, the account and the Region" >&2; exit 1; }
switches=''
for function in $functions; do
  current=$(aws lambda list-aliases --function-name "$function" \
    --query "Aliases[?Name=='live'].FunctionVersion | [0]" --output text)
  [ "$current" != None ] || continue
  modified=$(aws lambda get-function-configuration --function-name "$function" --qualifier "$current" \
    --query LastModified --output text)
  [[ $modified > $released ]] || continue
  # --query runs on each page of 50 versions, so the comparison of all versions comes after it.
  previous=$(aws lambda list-versions-by-function --function-name "$function" --query 'Versions[].[Version, LastModified]' \
    --output text | awk -v released="$released" '$1 + 0 > 0 && $2 < released { print $1 }' | sort -n | tail -n 1)
  [ -z "$previous" ] || switches+="$function $current $previous"$'\n'
done
printf %s "$switches" | while read -r function current previous; do
  aws lambda update-alias --function-name "$function" --name live --function-version "$previous" \
    --routing-config AdditionalVersionWeights={} </dev/null >/dev/null
  echo "$function: from version $current to $previous"
done
