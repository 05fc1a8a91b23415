"""Which users a rollout admits, and a digest of what an application knows about its users."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from .facts import Facts, HeldRole, evaluate, parse_ms

FULL_ROLLOUT = 100
_word = 0xFFFFFFFF


def is_in_rollout(app_id: str, user_id: str, percent: float) -> bool:
    """Whether a percentage with at most two decimals admits a user without an explicit status."""
    return rollout_bucket(app_id, user_id) < math.floor(percent * 100 + 0.5)


def rollout_bucket(app_id: str, user_id: str) -> int:
    """The bucket of a user in an application, from 0 to 9,999."""
    return murmur3(f"{app_id}:{user_id}") % 10_000


def murmur3(text: str) -> int:
    """MurmurHash3 x86 32 with seed 0 of a text in UTF-8."""
    data = text.encode()
    mixed = 0
    whole = len(data) - len(data) % 4
    for at in range(0, whole, 4):
        mixed ^= _scramble(int.from_bytes(data[at : at + 4], "little"))
        mixed = (_rotate(mixed, 13) * 5 + 0xE6546B64) & _word
    # A block of zeros changes nothing, so this is correct even if no byte is left.
    mixed ^= _scramble(int.from_bytes(data[whole:], "little")) ^ len(data)
    mixed = ((mixed ^ (mixed >> 16)) * 0x85EBCA6B) & _word
    mixed = ((mixed ^ (mixed >> 13)) * 0xC2B2AE35) & _word
    return mixed ^ (mixed >> 16)


def _scramble(block: int) -> int:
    return (_rotate((block * 0xCC9E2D51) & _word, 15) * 0x1B873593) & _word


def _rotate(word: int, bits: int) -> int:
    return ((word << bits) | (word >> (32 - bits))) & _word


def digest_of(texts: Iterable[str]) -> str:
    """The digest of a set of texts, in any order: their number and two sums of 32-bit hashes."""
    count = one = other = 0
    for text in texts:
        count += 1
        one = (one + murmur3(text)) & _word
        other = (other + murmur3(f".{text}")) & _word
    return f"{count:x}-{one:x}-{other:x}"


def texts_of(
    users: Mapping[str, Facts], kind: str, after: str, through: str | None, time: float
) -> dict[str, str]:
    """The texts that the digest of a range covers, by user id: the ids after one id and through another."""
    texts: dict[str, str] = {}
    part = {"erased": "all", "inactive": "user"}.get(kind)
    for user_id, facts in users.items():
        if user_id <= after or (through is not None and user_id > through) or (part and part not in facts):
            continue
        text = _text_of(kind, user_id, facts, time)
        if text is not None:
            texts[user_id] = text
    return texts


def _text_of(kind: str, user_id: str, facts: Facts, time: float) -> str | None:
    found = evaluate(facts, time)
    if kind == "erased":
        return f"{user_id}\n{found.erased_until:.0f}" if found.erased_until > time else None
    if found.erased_until:
        return None
    if kind == "inactive":
        return user_id if found.is_inactive else None
    return _text_of_access(user_id, found.stored, found.roles, time)


def _text_of_access(user_id: str, stored: str | int | None, roles: Iterable[HeldRole], live_at: float) -> str | None:
    """Omits roles that expire by ``live_at``, so that it does not depend on when either side drops an expired role."""
    live = []
    for role in roles:
        end = 0 if role.expires_at is None else parse_ms(role.expires_at)
        if end == 0 or (end is not None and end > live_at):
            live.append(f"{role.name}={end}")
    if stored is None and not live:
        return None
    return "\n".join([user_id, "false" if stored is None else str(stored), *sorted(live)])
