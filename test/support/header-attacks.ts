/** A request by which a caller tries to be another user. */
export interface HeaderAttack {
  readonly what: string;
  /** Header lines beside those that say who the caller is; CR LF is added to each. */
  readonly lines: readonly string[];
  /** A chunked body and its trailer section. */
  readonly trailer?: string;
}

/** The characters that a field name may have beside letters, digits and the hyphen (RFC 9110 section 5.6.2). */
const separators = [..."!#$%&'*+.^_`|~"];

/** The ways to write the name of a header that an application may take for `first-second-third`. */
function spellings(name: string, character: string): string[] {
  const [first, second, third] = name.split('-');
  return [
    `${first}${character}${second}${character}${third}`,
    `${first}${character}${second}-${third}`,
    `${first}-${second}${character}${third}`,
  ];
}

/** The requests by which somebody tries to be this user with these roles; `token` is what such a user would send. */
export function headerAttacks(user: string, roles: string, token: string): HeaderAttack[] {
  const named = (name: string, value: string, character: string) =>
    spellings(name, character).map((spelling) => `${spelling}: ${value}`);
  const [asUser, asRoles] = [`X-Auth-User: ${user}`, `X-Auth-Roles: ${roles}`];
  const folded = [`X-Auth_User: ${user}`, `X-Auth_Roles: ${roles}`];
  const connections = [
    'Connection: X-Auth-User, X-Auth-Roles',
    'Connection: x-auth-user,x-auth-roles',
    'Connection: keep-alive, X-Auth-User',
    'Connection: close, X-Auth-User, X-Auth-Roles',
    'Connection: Authorization',
    'Connection: X-Original-User, X-Original-Authorization',
    'Connection: Upgrade, X-Auth-User, X-Auth-Roles',
    'Connection: Host, Content-Length, Cookie',
  ];
  return [
    ...separators.map((character) => ({
      what: `names with "${character}"`,
      lines: [...named('X-Auth-User', user, character), ...named('X-Auth-Roles', roles, character)],
    })),
    { what: 'the names themselves', lines: [asUser, asRoles] },
    {
      what: 'the names in another case',
      lines: [asUser.toLowerCase(), `X-AUTH-USER: ${user}`, `x-AUTH_roles: ${roles}`],
    },
    { what: 'the names twice', lines: [asUser, asUser, asRoles, asRoles] },
    { what: 'an empty name of a user', lines: ['X-Auth-User:', 'X-Auth-Roles:'] },
    ...connections.map((line) => ({ what: line, lines: [line] })),
    ...connections.map((line) => ({
      what: `${line}, with other spellings`,
      lines: [line, asUser, asRoles, ...folded],
    })),
    { what: 'two lines of Connection', lines: ['Connection: X-Auth-User', 'Connection: X-Auth-Roles', ...folded] },
    {
      what: 'an upgrade to HTTP/2',
      lines: [
        'Connection: Upgrade, HTTP2-Settings',
        'Upgrade: h2c',
        'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
        ...folded,
      ],
    },
    { what: 'Proxy-Connection', lines: ['Proxy-Connection: X-Auth-User', 'Keep-Alive: X-Auth-User', ...folded] },
    { what: 'TE and Trailer', lines: ['TE: trailers, X-Auth-User', 'Trailer: X-Auth-User'] },
    { what: 'X-Original-User', lines: [`X-Original-User: ${user}`, `X_Original_User: ${user}`] },
    { what: 'X-Original-User in other spellings', lines: [`X.Original.User: ${user}`, `x-original-user: ${user}`] },
    { what: 'X-Original-Authorization', lines: [`X-Original-Authorization: Bearer ${token}`] },
    {
      what: 'X_Original_Authorization',
      lines: [`X_Original-Authorization: Bearer ${token}`, `X-Original-User: ${user}`],
    },
    { what: 'the headers of other proxies', lines: [`X-Forwarded-User: ${user}`, `Remote-User: ${user}`, ...folded] },
    {
      what: 'another path',
      lines: ['X-Original-URL: /_authorize', 'X-Rewrite-URL: /', 'X-Forwarded-Uri: /', ...folded],
    },
    { what: 'another method', lines: ['X-HTTP-Method-Override: OPTIONS', ...folded] },
    { what: 'a space before the colon', lines: [`X-Auth-User : ${user}`] },
    { what: 'a tab before the colon', lines: [`X-Auth-User\t: ${user}`] },
    { what: 'a folded line', lines: [`X-Other: 1\r\n ${asUser}`] },
    { what: 'a line without CR', lines: [`X-Other: 1\n${asUser}\n${folded[0]}`] },
    { what: 'a line without LF', lines: [`X-Other: 1\r${asUser}`] },
    { what: 'a trailer', lines: ['Trailer: X-Auth-User, X-Auth-Roles'], trailer: `${asUser}\r\n${folded[1]}\r\n` },
  ];
}
