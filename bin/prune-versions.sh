#!/usr/bin/env bash
# npm run -s prune-versions -- <stage> [kept, 10 by default]: deletes all but the newest versions of each function,
# except those that an alias points to, and prints them. Refuses while a deployment or its rollback is in progress.
# Reads all functions before it deletes the first version.
set -euo pipefail
stage=${1:?a stage, such as prod} kept=${2:-10}
[[ $kept =~ ^[0-9]+$ && $kept -ge 2 ]] ||
  { echo "Keep at least 2 versions, the released one and the one before: pass a number, not $kept" >&2; exit 1; }
status=$(aws cloudformation describe-stacks --stack-name "AuthService-$stage" --query 'Stacks[0].StackStatus' --output text)
[[ $status =~ ^[A-Z_]*_COMPLETE$ ]] || { echo "The stack is in the state $status: prune when it is complete" >&2; exit 1; }
functions=$(aws lambda list-functions --query "Functions[?starts_with(FunctionName, 'AuthService-$stage-')].FunctionName" --output text)
[ -n "$functions" ] || { echo "The stage $stage has no functions here: check its name, the account and the Region" >&2; exit 1; }
deletions=''
for function in $functions; do
  used=$(aws lambda list-aliases --function-name "$function" \
    --query 'Aliases[].[FunctionVersion, keys(not_null(RoutingConfig.AdditionalVersionWeights, `{}`))][]' --output text)
  # --query runs on each page of 50 versions, so the comparison of all versions comes after it.
  versions=$(aws lambda list-versions-by-function --function-name "$function" --query 'Versions[].Version' --output text |
    tr '\t' '\n' | awk '$1 + 0 > 0' | sort -n | head -n "-$kept")
  for version in $versions; do
    [[ " ${used//[$'\t\n']/ } " == *" $version "* ]] || deletions+="$function $version"$'\n'
  done
done
printf %s "$deletions" | while read -r function version; do
  aws lambda delete-function --function-name "$function" --qualifier "$version" </dev/null >/dev/null
  echo "$function: deleted version $version"
done
