#!/usr/bin/env bash
# npm run -s keep-logs -- <stage>: protects every log group of the stage's stack against deletion, and prints them. CloudFormation
# then leaves those that a release removes, and their events expire as before. Repeatable.
# https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutLogGroupDeletionProtection.html
set -euo pipefail
stage=${1:?a stage, such as prod}
groups=$(aws cloudformation list-stack-resources --stack-name "AuthService-$stage" --output text \
  --query "StackResourceSummaries[?ResourceType=='AWS::Logs::LogGroup'].PhysicalResourceId")
[ -n "$groups" ] || { echo "The stage $stage has no log groups here: check its name, the account and the Region" >&2; exit 1; }
for group in $groups; do
  aws logs put-log-group-deletion-protection --log-group-identifier "$group" --deletion-protection-enabled
  echo "$group: protected"
done
