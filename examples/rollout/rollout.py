"""python3 rollout.py: reads lines "appId userId percent", prints the bucket and whether the user is admitted."""

import sys


def is_in_rollout(app_id: str, user_id: str, percent: float) -> bool:
    """Whether a user without an explicit status is admitted."""
    return bucket(app_id, user_id) < round(percent * 100)


def bucket(app_id: str, user_id: str) -> int:
    """From 0 to 9,999; with the package mmh3: mmh3.hash(text, 0, signed=False) % 10_000."""
    return murmur3(f"{app_id}:{user_id}".encode()) % 10_000


def murmur3(data: bytes) -> int:
    """MurmurHash3 x86 32 with seed 0."""
    value, whole = 0, len(data) - len(data) % 4
    for at in range(0, whole, 4):
        value = rotate(value ^ scramble(data[at : at + 4]), 13) * 5 + 0xE6546B64 & 0xFFFFFFFF
    value ^= scramble(data[whole:]) ^ len(data)
    value = (value ^ value >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    value = (value ^ value >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    return value ^ value >> 16


def scramble(block: bytes) -> int:
    word = int.from_bytes(block, "little") * 0xCC9E2D51 & 0xFFFFFFFF
    return rotate(word, 15) * 0x1B873593 & 0xFFFFFFFF


def rotate(word: int, bits: int) -> int:
    return (word << bits | word >> 32 - bits) & 0xFFFFFFFF


if __name__ == "__main__":
    for line in sys.stdin.buffer:
        app, user, share = line.decode().split()
        print(bucket(app, user), "in" if is_in_rollout(app, user, float(share)) else "out")
