#!/usr/bin/env bash
# npm run -s prune-versions -- <stage> [kept, 10 by default]: deletes all but the newest versions of each function,
# except those that an alias points to, and prints them. Refuses while a deployment or its rollback is in progress.
# Reads all functions before it deletes the first version, several at a time. Fails if there was nothing to delete.
set -euo pipefail
stage=${1:?a stage, such as prod}
export kept=${2:-10}
[[ $kept =~ ^[0-9]+$ && $kept -ge 2 ]] ||
  { echo "Keep at least 2 versions, the released one and the one before: pass a number, not $kept" >&2; exit 1; }
status=$(aws cloudformation describe-stacks --stack-name "AuthService-$stage" --query 'Stacks[0].StackStatus' --output text)
[[ $status =~ ^[A-Z_]*_COMPLETE$ ]] || { echo "The stack is in the state $status: prune when it is complete" >&2; exit 1; }
functions=$(aws lambda list-functions --query "Functions[?starts_with(FunctionName, 'AuthService-$stage-')].FunctionName" --output text)
[ -n "$functions" ] || { echo "The stage $stage has no functions here: check its name, the account and the Region" >&2; exit 1; }

# Prints a function with each version of it to delete.
plan() {
  local used versions version
  used=$(aws lambda list-aliases --function-name "$1" \
    --query 'Aliases[].[FunctionVersion, keys(not_null(RoutingConfig.AdditionalVersionWeights, `{}`))][]' --output text)
  # --query runs on each page of 50 versions, so the comparison of all versions comes after it.
  versions=$(aws lambda list-versions-by-function --function-name "$1" --query 'Versions[].Version' --output text |
    tr '\t' '\n' | awk '$1 + 0 > 0' | sort -n | head -n "-$kept")
  for version in $versions; do
    [[ " ${used//[$'\t\n']/ } " == *" $version "* ]] || echo "$1 $version"
  done
}
delete() {
  aws lambda delete-function --function-name "$1" --qualifier "$2" >/dev/null
  echo "$1: deleted version $2"
}
# Runs a function for each group of this many words of the input, eight at a time: Lambda allows 15 such calls a second.
for_each() { xargs -n "$2" -P 8 bash -euo pipefail -c "$1 \"\$@\"" _; }
export -f plan delete
export AWS_MAX_ATTEMPTS=10

deletions=$(for_each plan 1 <<<"$functions")
[ -n "$deletions" ] ||
  { echo "Nothing was deleted: no function of $stage has more than $kept versions but those in use" >&2; exit 1; }
for_each delete 2 <<<"$deletions" || { echo "Not every version was deleted: run the same command again" >&2; exit 1; }
echo "$(wc -l <<<"$deletions") versions of $(wc -w <<<"$functions") functions of $stage were deleted" >&2
