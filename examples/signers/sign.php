<?php
// Signs a request and sends it: KEY_ID=... SECRET=... php sign.php METHOD URL [BODY]
declare(strict_types=1);

/** Returns headers and signature base. The nonce identifies the call: a retry keeps it and uses a later time. */
function sign($method, $url, $body, $keyId, $secret, $created, $nonce, $ifMatch = ''): array
{
    ['scheme' => $scheme, 'host' => $host, 'path' => $path] = $parts = parse_url($url);
    $port = $parts['port'] ?? null;
    $isDefault = $port === null || $port === ['http' => 80, 'https' => 443][$scheme];
    $covered = ['@method' => $method, '@authority' => strtolower($host) . ($isDefault ? '' : ":$port"), '@path' => $path];
    if (($parts['query'] ?? '') !== '') {
        $covered['@query'] = "?{$parts['query']}";
    }
    if ($body !== '') {
        $covered['content-digest'] = 'sha-256=:' . base64_encode(hash('sha256', $body, true)) . ':';
        $headers[] = "Content-Digest: {$covered['content-digest']}";
    }
    if ($ifMatch !== '') {
        $headers[] = 'If-Match: ' . ($covered['if-match'] = $ifMatch);
    }
    $params = '("' . implode('" "', array_keys($covered)) . "\");created=$created;nonce=\"$nonce\";keyid=\"$keyId\"";
    $covered['@signature-params'] = $params;
    $base = implode("\n", array_map(fn ($name, $value) => "\"$name\": $value", array_keys($covered), $covered));
    $mac = base64_encode(hash_hmac('sha256', $base, $secret, true));
    return [[...$headers ?? [], "Signature-Input: sig1=$params", "Signature: sig1=:$mac:"], $base];
}

[, $method, $url, $body] = [...$argv, ''];
$created = getenv('SIGN_CREATED') ?: (string) time();
$nonce = getenv('SIGN_NONCE') ?: bin2hex(random_bytes(16));
[$headers, $base] = sign($method, $url, $body, getenv('KEY_ID'), getenv('SECRET'), $created, $nonce, (string) getenv('IF_MATCH'));
if (getenv('SIGN_ONLY')) {
    exit("$base\n\n" . substr(end($headers), strlen('Signature: ')) . "\n");
}
$http = ['method' => $method, 'header' => ['Content-Type: application/json', ...$headers], 'content' => $body];
$asReceived = ['ignore_errors' => true, 'follow_location' => 0, 'timeout' => 10];
$stream = fopen($url, 'r', context: stream_context_create(['http' => $http + $asReceived])) ?: exit(1);
$head = stream_get_meta_data($stream)['wrapper_data'];
if (!preg_grep('/^request-nonce: *' . preg_quote($nonce, '/') . ' *$/iD', $head)) {
    fwrite(STDERR, "$head[0], not the service's answer to this request\n");
    exit(1);
}
echo stream_get_contents($stream), "\n";
exit(preg_match('/^HTTP\S* 2/', $head[0]) ? 0 : 1);
