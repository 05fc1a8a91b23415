<?php
// `npm run build:vectors` writes the output of this script: values from PHP's own MurmurHash3, an independent implementation.
declare(strict_types=1);

$longestApp = 'a' . str_repeat('9', 39);
$cases = [
    // Every length modulo the four bytes of a block.
    ['crm', 'ada'], ['crm', 'zoe'], ['crm', 'a'], ['crm', 'ab'], ['crm', 'abcd'], ['billing', 'ada'], ['wiki', 'ada'],
    // The other characters of user ids, and ids of the maximum length.
    ['crm', 'auth0|123'], ['crm', 'a.b_c~d-e@f:g|h+i='], ['crm', 'o\'brien!$&()*,;'],
    ['crm', str_repeat('x', 128)], [$longestApp, str_repeat('z', 128)],
    // The first and the last bucket.
    ['crm', 'user-5007'], ['crm', 'user-14518'],
    // 100 times the percentage is not a whole number in binary floating point, so it must be rounded.
    ['crm', 'user-2178'], ['crm', 'user-11626'], ['crm', 'user-4268'],
    // Characters of several bytes in UTF-8, which user ids do not allow today.
    ['crm', 'josé'], ['crm', '世界'], ['crm', '😀'],
];
$vectors = [];
foreach ($cases as [$appId, $userId]) {
    $hash = hexdec(hash('murmur3a', "$appId:$userId"));
    $bucket = $hash % 10_000;
    $vectors[] = [
        'appId' => $appId, 'userId' => $userId, 'hash' => $hash, 'bucket' => $bucket, 'lowestPercent' => ($bucket + 1) / 100,
    ];
}
echo json_encode($vectors, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR), "\n";
