#!/usr/bin/env bash
# bash rollout.sh: reads lines "appId userId percent", prints the bucket and whether the user is admitted.
set -euo pipefail

# Whether a user without an explicit status is admitted; the percentage may have two decimals.
is_in_rollout() {
  local whole=${3%.*} decimals=00
  [[ $3 == *.* ]] && decimals=${3#*.}0
  (($(bucket "$1" "$2") < 10#$whole * 100 + 10#${decimals:0:2}))
}

# From 0 to 9,999.
bucket() { echo $(($(murmur3 "$1:$2") % 10000)); }

# MurmurHash3 x86 32 with seed 0.
murmur3() {
  local LC_ALL=C at byte block=0 hash=0
  # In this locale a character is a byte.
  local length=${#1}
  for ((at = 0; at < length; at++)); do
    printf -v byte %d "'${1:at:1}"
    block=$((block | (byte & 255) << 8 * (at % 4)))
    ((at % 4 < 3)) && continue
    hash=$((hash ^ $(scramble $block)))
    hash=$(((((hash << 13 | hash >> 19) & 0xffffffff) * 5 + 0xe6546b64) & 0xffffffff)) block=0
  done
  hash=$((hash ^ $(scramble $block) ^ length))
  hash=$(((hash ^ hash >> 16) * 0x85ebca6b & 0xffffffff))
  hash=$(((hash ^ hash >> 13) * 0xc2b2ae35 & 0xffffffff))
  echo $((hash ^ hash >> 16))
}

scramble() {
  local word=$(($1 * 0xcc9e2d51 & 0xffffffff))
  echo $((((word << 15 | word >> 17) & 0xffffffff) * 0x1b873593 & 0xffffffff))
}

while read -r app user percent; do
  echo "$(bucket "$app" "$user") $(is_in_rollout "$app" "$user" "$percent" && echo in || echo out)"
done
