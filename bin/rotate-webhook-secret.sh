#!/usr/bin/env bash
# npm run -s rotate-webhook-secret -- <stage> begin: creates a new webhook secret that is not sent yet, so that the
# receiver can be configured to accept both. … <stage> finish: sends it from now on. Never prints a secret or passes one
# as an argument, which other users of the machine could read. Reads everything before it changes anything. Running
# either step again has no further effect.
set -euo pipefail
stage=${1:?a stage, such as prod} step=${2:?begin or finish}
[[ $step == begin || $step == finish ]] || { echo "The step must be begin or finish, not $step" >&2; exit 1; }
output() {
  aws cloudformation describe-stacks --stack-name "AuthService-$stage" --output text \
    --query "Stacks[0].Outputs[?OutputKey=='$1'].OutputValue | [0]"
}
# One assignment per line: of several, the shell checks only whether the last one failed.
connection=$(output WebhookConnectionName)
secret=$(output WebhookSecretName)
[ "$connection" != None ] || { echo "The stack AuthService-$stage has no webhook" >&2; exit 1; }
version() {
  aws secretsmanager list-secret-version-ids --secret-id "$secret" --output text \
    --query "Versions[?contains(VersionStages, '$1')].VersionId | [0]"
}
value() { aws secretsmanager get-secret-value --secret-id "$secret" --version-stage "$1" --query SecretString --output text; }
pending=$(version AWSPENDING)
current=$(version AWSCURRENT)
case $step in
  begin)
    [ "$pending" = None ] || { echo "The secret $secret already has a new version, $pending: run finish when the receiver accepts it"; exit 0; }
    # Keeps a scheme such as Bearer.
    scheme=$(value AWSCURRENT | sed -nE 's/^([A-Za-z]+ ).+$/\1/p')
    random=$(node -p "crypto.randomBytes(32).toString('hex')")
    printf '%s%s' "$scheme" "$random" | aws secretsmanager put-secret-value --secret-id "$secret" \
      --version-stages AWSPENDING --secret-string file:///dev/stdin >/dev/null
    echo "The secret $secret has a new version, AWSPENDING. Configure the receiver to accept both versions, then run finish"
    ;;
  finish)
    [ "$pending" != None ] || { echo "The secret $secret has no new version: run begin first" >&2; exit 1; }
    header=$(aws events describe-connection --name "$connection" --output text \
      --query AuthParameters.ApiKeyAuthParameters.ApiKeyName)
    sent=$(value AWSPENDING)
    HEADER=$header SECRET=$sent node -p 'JSON.stringify({ ApiKeyAuthParameters: { ApiKeyName: process.env.HEADER, ApiKeyValue: process.env.SECRET } })' |
      aws events update-connection --name "$connection" --authorization-type API_KEY --auth-parameters file:///dev/stdin >/dev/null
    # A deployment that changes the webhook sends the current version.
    [ "$pending" = "$current" ] || aws secretsmanager update-secret-version-stage --secret-id "$secret" \
      --version-stage AWSCURRENT --move-to-version-id "$pending" --remove-from-version-id "$current" >/dev/null
    aws secretsmanager update-secret-version-stage --secret-id "$secret" --version-stage AWSPENDING \
      --remove-from-version-id "$pending" >/dev/null
    echo "The webhook now sends the new secret. The receiver can reject the previous one, AWSPREVIOUS, in an hour"
    ;;
esac
