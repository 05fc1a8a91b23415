/** Replaces what differs from run to run by its kind: timestamps, generated ids, secrets, cursors. */
export function normalizeVolatileFields(body: unknown): unknown {
  const text = JSON.stringify(body)
    .replace(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/g, '"a timestamp"')
    .replace(/"\d{4}-\d\d-\d\d"/g, '"a day"')
    .replace(/"arn:aws:iam::\d{12}:user\/\w+"/g, '"an identity"')
    .replace(/[0-7][0-9A-HJKMNP-TV-Z]{25}/g, 'a-ulid')
    .replace(/"svt_\w+_a-ulid_[\w-]{43}"/g, '"a token"')
    .replace(/"whsec_[A-Za-z0-9+/]+=*"/g, '"a secret"')
    .replace(/"svs_[A-Za-z0-9_-]{43}"/g, '"a secret"')
    .replace(/"[a-z0-9]{26}"/g, '"a client"')
    .replace(/"secret":"[\w-]{30,}"/g, '"secret":"a secret"')
    .replace(/"issuer":"https?:[^"]+"/g, '"issuer":"an issuer"')
    .replace(
      /"(requestId|secretId|sourceIp|cursor|changesCursor|previous|salt|mac|signature|digest)":"[^"]+"/g,
      '"$1":"any"',
    );
  return JSON.parse(text);
}
