<?php
// php rollout.php: reads lines "appId userId percent", prints the bucket and whether the user is admitted.
declare(strict_types=1);

/** Whether a user without an explicit status is admitted. */
function is_in_rollout(string $appId, string $userId, float $percent): bool
{
    return rollout_bucket($appId, $userId) < round($percent * 100);
}

/** From 0 to 9,999. PHP has MurmurHash3 x86 32 itself, as murmur3a; its seed is 0. */
function rollout_bucket(string $appId, string $userId): int
{
    return hexdec(hash('murmur3a', "$appId:$userId")) % 10_000;
}

while (($line = fgets(STDIN)) !== false) {
    [$appId, $userId, $percent] = explode(' ', trim($line));
    echo rollout_bucket($appId, $userId), is_in_rollout($appId, $userId, (float) $percent) ? " in\n" : " out\n";
}
