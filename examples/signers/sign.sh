#!/usr/bin/env bash
# Signs a request and sends it: KEY_ID=... SECRET=... sign.sh METHOD URL [BODY]   (bash 4.4 or newer)
set -euo pipefail
export LC_ALL=C
method=$1 url=$2 body=${3:-} names='' base='' headers=()

sha256() { openssl dgst -sha256 -binary; }
# HMAC by RFC 2104: openssl itself would take the secret as an argument, which `ps` shows to everyone.
hmac() { { pad 0x5c && { pad 0x36 && cat; } | sha256; } | sha256; }
# Each byte of the secret, which is shorter than SHA-256's block of 64, XOR $1.
pad() {
  local at byte
  for ((at = 0; at < 64; at++)); do
    printf -v byte %d "'${SECRET:at:1}"
    printf -v byte %02x $((byte ^ $1))
    printf "\x$byte"
  done
}
cover() { names+=" \"$1\"" base+="\"$1\": $2"$'\n'; }

[[ $url =~ ^(https?)://([^/?#]+)([^?#]*)(\?[^#]+)? ]] || { echo "Not a URL: $url" >&2 && exit 2; }
declare -A default_port=([http]=80 [https]=443)
authority=${BASH_REMATCH[2],,} path=${BASH_REMATCH[3]} query=${BASH_REMATCH[4]:-}
cover @method "$method"
cover @authority "${authority%:"${default_port[${BASH_REMATCH[1]}]}"}"
cover @path "$path"
[ -z "$query" ] || cover @query "$query"
if [ -n "$body" ]; then
  digest="sha-256=:$(printf %s "$body" | sha256 | base64):"
  cover content-digest "$digest"
  headers=(-H "Content-Type: application/json" -H "Content-Digest: $digest" --data-raw "$body")
fi
[ -z "${IF_MATCH:-}" ] || { cover if-match "$IF_MATCH" && headers+=(-H "If-Match: $IF_MATCH"); }
nonce=${SIGN_NONCE:-$(openssl rand -hex 16)} # It identifies the call: a retry keeps it and uses a later time.
params="(${names:1});created=${SIGN_CREATED:-$(date +%s)};nonce=\"$nonce\";keyid=\"$KEY_ID\""
base+="\"@signature-params\": $params"
signature="sig1=:$(printf %s "$base" | hmac | base64):"
[ -z "${SIGN_ONLY:-}" ] || { printf '%s\n\n%s\n' "$base" "$signature"; exit; }
answer=$(curl -sSi --suppress-connect-headers --max-time 10 --globoff --path-as-is -X "$method" "$url" "${headers[@]}" \
  -H 'Expect:' -H "Signature-Input: sig1=$params" -H "Signature: $signature")
head=${answer%%$'\r\n\r\n'*}$'\r'
shopt -s nocasematch
[[ $head =~ $'\n'request-nonce:\ *"$nonce"$'\r' ]] || { echo "${head%%$'\r'*}, not the service's answer" >&2; exit 1; }
printf '%s\n' "${answer#*$'\r\n\r\n'}"
[[ $head =~ ^HTTP/[0-9.]+\ 2 ]]
