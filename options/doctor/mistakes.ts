/** Common mistakes of signers and their fixes; one is reported if it makes the signature match. */
export const mistakes = {
  method_lower_case: ['the method was signed in lower case', 'sign it as it is sent: GET, PUT, POST, DELETE'],
  method_other: ['a different method was signed', 'sign the method that is sent'],
  authority_port: [
    'the authority was signed with a different port',
    'sign the port of the request, and omit a default port',
  ],
  authority_upper_case: ['the authority was signed in upper case', 'sign the host name in lower case'],
  authority_scheme: [
    'the authority was signed with its scheme',
    'sign only the host name, and the port if it is not the default',
  ],
  path_decoded: ['the path was signed decoded', 'sign the path as it is sent, percent-encoding included'],
  path_encoding: [
    'the path was signed in a different encoding',
    'encode all but A-Z a-z 0-9 - . _ ~ once, with upper-case hex digits, and sign the path as it is sent',
  ],
  path_prefix: ['the path was signed without /api/service', 'sign the whole path'],
  path_with_query: ['the path was signed with the query', 'sign the path up to the "?"; the query is "@query"'],
  path_slash: ['the path was signed with a trailing slash', 'sign the path as it is sent'],
  query_missing: ['the query was not signed', 'add the line "@query": "?" and the query as sent'],
  query_mark: ['the query was signed without its "?"', 'begin the value of "@query" with "?"'],
  query_encoding: ['the query was signed in a different encoding', 'sign the query as it is sent'],
  query_order: [
    'the query parameters were signed in a different order',
    'sign the query as it is sent, without sorting it',
  ],
  digest_missing: ['the digest of the body was not signed', 'add the line "content-digest": the value of the header'],
  digest_other: ['the Content-Digest header differs from the signed digest', 'send the Content-Digest that was signed'],
  digest_form: [
    'the digest was signed in a different format than it is sent',
    'sign the whole value of the header: sha-256=:base64:',
  ],
  component_order: [
    'the lines were signed in a different order than Signature-Input lists them',
    'sign the lines in the order of the list',
  ],
  component_names: ['the component names were signed without quotes', 'begin each line with the name in double quotes'],
  created_milliseconds: [
    '"created" was signed in a different unit than it is sent',
    'use seconds since 1970 in both, not milliseconds',
  ],
  parameter_order: [
    'the signature parameters were signed in a different order',
    'sign exactly the text of Signature-Input after the label',
  ],
  parameters_missing: [
    'the line "@signature-params" is missing or truncated',
    'end the base with the text of Signature-Input after the label',
  ],
  parameters_label: [
    'the line "@signature-params" was signed with the label',
    'omit the label and its "=" in that line',
  ],
  trailing_line_break: [
    'the base was signed with a trailing newline',
    'remove the trailing newline: use printf %s instead of echo',
  ],
  crlf: ['the lines of the base were joined with CRLF', 'join them with a single line feed'],
  escaped_line_breaks: [
    'the base was signed with \\n as two characters',
    "join the lines with a line feed: printf '%b', or $'\\n'",
  ],
  secret_white_space: ['the secret was used with trailing white space', 'strip the newline at the end of the file'],
  secret_prefix: ['the secret was used without svs_', 'use the whole secret: svs_ is part of the MAC key'],
  secret_decoded: ['the secret was decoded from base64url', 'use its text as the MAC key, without decoding it'],
  secret_quotes: ['the secret was used with surrounding quotes', 'strip the quotes of the settings file'],
  mac_hex: ['the MAC was sent in hexadecimal', 'send its 32 bytes in base64: openssl dgst -binary | base64'],
  mac_hex_base64: ['the hexadecimal text of the MAC was sent in base64', 'encode the 32 bytes in base64 directly'],
  mac_base64url: ['the MAC was sent in base64url or without its "="', 'use base64 with + and /, padded with ='],
} as const satisfies Record<string, readonly [what: string, fix: string]>;

export type MistakeId = keyof typeof mistakes;
