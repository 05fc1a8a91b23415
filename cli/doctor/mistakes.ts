/** The usual mistakes of signers and their fixes; one is named when it makes the signature match. */
export const mistakes = {
  method_lower_case: ['the method was signed in another case', 'sign it as it is sent: GET, PUT, POST, DELETE'],
  method_other: ['another method was signed', 'sign the method that is sent'],
  authority_port: [
    'the authority was signed with another port',
    'sign the port that is called, and none that is the default',
  ],
  authority_upper_case: ['the authority was signed in upper case', 'sign the host name in lower case'],
  authority_scheme: [
    'the authority was signed with its scheme',
    'sign the host name alone, and the port if it is needed',
  ],
  path_decoded: ['the path was signed decoded', 'sign the path as it is sent, percent-encoding included'],
  path_encoding: [
    'the path was signed in another encoding',
    'encode all but A-Z a-z 0-9 - . _ ~, once, with upper-case digits, and sign what is sent',
  ],
  path_prefix: ['the path was signed without /api/service', 'sign the whole path'],
  path_with_query: ['the path was signed with the query', 'sign the path up to the "?"; the query is "@query"'],
  path_slash: ['the path was signed with a slash at its end', 'sign the path as it is sent'],
  query_missing: ['the query was left out of what was signed', 'give "@query" its line: "?" and the query as sent'],
  query_mark: ['the query was signed without its "?"', 'begin the value of "@query" with "?"'],
  query_encoding: ['the query was signed in another encoding', 'sign the query as it is sent'],
  query_order: [
    'the parameters of the query were signed in another order',
    'sign the query as it is sent, which is not sorted',
  ],
  digest_missing: [
    'the digest of the body was left out of what was signed',
    'give "content-digest" its line: the value of the header',
  ],
  digest_other: [
    'the digest of the body was signed, but the header says another',
    'send the Content-Digest that was signed',
  ],
  digest_form: [
    'the digest was signed in another form than it is sent',
    'sign the whole value of the header: sha-256=:base64:',
  ],
  component_order: [
    'the lines were signed in another order than Signature-Input lists them',
    'write the lines in the order of the list',
  ],
  component_names: [
    'the names of the components were signed without quotes',
    'begin each line with the name in double quotes',
  ],
  created_milliseconds: [
    '"created" was signed in another unit than it is sent',
    'use seconds since 1970 in both, not milliseconds',
  ],
  parameter_order: [
    'the parameters were signed in another order',
    'sign the very text of Signature-Input behind the label',
  ],
  parameters_missing: [
    'the line "@signature-params" was left out or cut short',
    'end the base with the text of Signature-Input behind the label',
  ],
  parameters_label: [
    'the line "@signature-params" was signed with the label',
    'leave out the label and its "=" in that line',
  ],
  trailing_line_break: ['the base was signed with a line break at its end', 'end it in nothing: printf %s, not echo'],
  crlf: ['the lines of the base were signed with CRLF', 'join them with a line feed alone'],
  escaped_line_breaks: [
    'the base was signed with \\n as two characters',
    "join the lines with a line feed: printf '%b', or $'\\n'",
  ],
  secret_white_space: ['the secret was used with white space at its end', 'strip the line break that a file ends with'],
  secret_prefix: ['the secret was used without svs_', 'use all of it: svs_ is part of the key of the MAC'],
  secret_decoded: [
    'the secret was decoded from base64url',
    'use its text as it is as the key of the MAC; decode nothing',
  ],
  secret_quotes: ['the secret was used with quotes around it', 'strip the quotes of the settings file'],
  mac_hex: ['the MAC was sent in hexadecimal', 'send its 32 bytes in base64: openssl dgst -binary | base64'],
  mac_hex_base64: ['the hexadecimal text of the MAC was sent in base64', 'send the 32 bytes themselves in base64'],
  mac_base64url: ['the MAC was sent in base64url or without its "="', 'use base64 with + and /, padded with ='],
} as const satisfies Record<string, readonly [what: string, fix: string]>;

export type MistakeId = keyof typeof mistakes;
