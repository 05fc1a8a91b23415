#!/usr/bin/env bash
# npm run -s roll-back -- <stage> <time>: points the alias of each function that was released since then, in UTC such as
# 2026-11-20T19:00, to its newest earlier version, and prints them. Reads all functions before it switches the first one,
# several at a time. Fails if there was nothing to switch, so running it again changes nothing and fails.
set -euo pipefail
stage=${1:?a stage, such as prod}
export released=${2:?the time when the release began, in UTC}
# The time is compared as text, so another format would be earlier or later than every version.
[[ $released =~ ^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2} ]] ||
  { echo "$released is not a time in UTC: pass one such as 2026-11-20T19:00" >&2; exit 1; }
functions=$(aws lambda list-functions --query "Functions[?starts_with(FunctionName, 'AuthService-$stage-')].FunctionName" --output text)
[ -n "$functions" ] || { echo "The stage $stage has no functions here: check its name, the account and the Region" >&2; exit 1; }

# Prints a function, its version and the earlier one; nothing if it was not released since then.
plan() {
  local current modified previous
  current=$(aws lambda list-aliases --function-name "$1" \
    --query "Aliases[?Name=='live'].FunctionVersion | [0]" --output text)
  [ "$current" != None ] || return 0
  modified=$(aws lambda get-function-configuration --function-name "$1" --qualifier "$current" \
    --query LastModified --output text)
  [[ $modified > $released ]] || return 0
  # --query runs on each page of 50 versions, so the comparison of all versions comes after it.
  previous=$(aws lambda list-versions-by-function --function-name "$1" --query 'Versions[].[Version, LastModified]' \
    --output text | awk -v released="$released" '$1 + 0 > 0 && $2 < released { print $1 }' | sort -n | tail -n 1)
  if [ -n "$previous" ]; then echo "$1 $current $previous"
  else echo "$1: stays at version $current, because it has none from before $released" >&2; fi
}
switch() {
  aws lambda update-alias --function-name "$1" --name live --function-version "$3" \
    --routing-config AdditionalVersionWeights={} >/dev/null
  echo "$1: from version $2 to $3"
}
# Runs a function for each group of this many words of the input, eight at a time: Lambda allows 15 such calls a second.
for_each() { xargs -n "$2" -P 8 bash -euo pipefail -c "$1 \"\$@\"" _; }
export -f plan switch
export AWS_MAX_ATTEMPTS=10

switches=$(for_each plan 1 <<<"$functions")
[ -n "$switches" ] ||
  { echo "Nothing was switched: no function of $stage was released since $released and has an earlier version" >&2; exit 1; }
for_each switch 3 <<<"$switches" || { echo "Not every function was switched: run the same command again" >&2; exit 1; }
echo "$(wc -l <<<"$switches") of $(wc -w <<<"$functions") functions of $stage were switched" >&2
