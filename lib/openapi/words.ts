import type { JsonSchema } from './json-schema.ts';

/** What each member means, wherever it stands; `Component.member`, or `member.member`, where it means something else there. */
const words: Readonly<Record<string, string>> = {
  userId: 'The user, by the id that your applications share.',
  appId: 'The application. In the Service API it is always that of the API key.',
  name: 'What people call the application.',
  roles: 'The roles that the user holds now, by name. Grants that have ended are not listed.',
  'roles.name': 'The role.',
  status: 'The status that was set for this user in this application, or the default `enabled`.',
  'User.status': 'The global status: an inactive user enters no application, whatever else is set.',
  'ChangedUser.status': 'The global status: an inactive user enters no application, whatever else is set.',
  'SetUserStatusBody.status': 'The new global status: an inactive user enters no application, whatever else is set.',
  'Problem.status': 'The HTTP status.',
  explicit: 'Whether somebody ever set the status.',
  until: 'When a block ends by itself; goes only with `disabled`. `null` is never.',
  reason: 'Why, for operators and for the application to show.',
  userStatus: "The user's global status.",
  effectiveStatus: 'What the application must obey now.',
  decidedBy:
    'What decided the effective status: `user` (inactive, so disabled), `explicit` (what was set), `lapsed` (a block whose `until` has passed), `default` (nobody set anything).',
  role: 'The role, by its name in the application; upper and lower case differ.',
  expiresAt: 'When it ends by itself; `null` is never.',
  version: 'Counts the changes; also the `ETag`, and what `If-Match` names. An access that nobody touched is at 0.',
  'ChangeSide.version': 'The version of what changed. Of two, the higher is the later.',
  'Problem.version': 'Only of `version_mismatch`: the version that stands.',
  updatedAt: 'When it last changed; `null` is never.',
  createdAt: 'When it was created.',
  changed: 'Whether the request changed anything. `false` says that what was asked for already held.',
  complete: '`false` says that time ran out: the same request goes on where this one ended.',
  id: 'A ULID. Deliveries of the same change have the same id.',
  'Caller.id': "The IAM ARN, or the token's `sub`.",
  'Caller.kind': 'An application by its API key, or an operator.',
  'Caller.email': "The e-mail address of the operator's token, if it has one.",
  at: 'When it happened.',
  action: 'What happened. New ones may come.',
  caller: 'Who did it.',
  requestId: 'The request, as in its `Apigw-Requestid` or `X-Amzn-RequestId` header and in the log.',
  sourceIp: 'The address from which the request came.',
  before: 'What stood before; `null` if there was nothing.',
  after: 'What stands since; `null` if there is nothing.',
  'Change.reason': 'Why, as the caller gave it.',
  items: 'The items of this page.',
  cursor: 'Leads to the next page, as `?cursor=`. `null` says that this is the last.',
  'ChangePage.cursor':
    'Leads on, as `?cursor=` backward and `?after=` forward. Forward it is `null` only while there is nothing yet.',
  keyId: 'The API key. Not secret.',
  secret: 'What requests are signed with. It is in this answer and in no later one.',
  scopes: 'What the key may do.',
  revokedAt: 'When the key was revoked; `null` is never.',
  lastUsedOn: 'The day of its last use; `null` is never.',
  overlap: 'How long the old key goes on, from `PT0S` to 30 days, in days, hours, minutes and seconds.',
  description: 'What the role is for.',
  userIds: 'The users, each once.',
  outcome: 'What became of this user.',
  problem: 'Why it failed; only of a failed one.',
  appName: 'What people call the application.',
  displayName: 'What people call the user.',
  email: 'The e-mail address.',
  type: 'Where the code is explained, relative to the address of the request.',
  title: 'The code in words, always the same.',
  detail: 'What is wrong this time, and what to do.',
  code: 'What programs decide by. New ones may come.',
  errors: 'Every field that is wrong, of `invalid_request`.',
  serverTime: "Only of `clock_skew`: the server's clock.",
  created: 'Only of `clock_skew`: when the signature says it was made, in seconds since 1970.',
  windowSeconds: 'Only of `clock_skew`: how far the two may be apart.',
  signatureBase: 'Only of `signature_mismatch`: the text that the server expected to be signed.',
  receivedBytes: 'Only of `digest_mismatch`: how long the body was that arrived.',
  pointer:
    'Which field: `#/status` in the body (RFC 6901), or `path:userId`, `query:limit`, `header:if-match` beside it.',
  message: 'Of API Gateway.',
  Message: 'Of the function URL.',
};

/** What a member of a component means. */
export function meaningOf(component: string, member: string): string | undefined {
  return words[`${component}.${member}`] ?? words[member];
}

/** A component with what its members mean, also those within. */
export function explain(schema: JsonSchema, component: string): JsonSchema {
  const { properties, items, oneOf } = schema;
  return {
    ...schema,
    ...(properties && { properties: explainMembers(properties as Record<string, JsonSchema>, component) }),
    ...(items !== undefined && { items: explain(items as JsonSchema, component) }),
    ...(oneOf && { oneOf: oneOf.map((option) => explain(option as JsonSchema, component)) }),
  };
}

function explainMembers(properties: Readonly<Record<string, JsonSchema>>, component: string) {
  const explained = Object.entries(properties).map(([name, member]) => {
    const description = meaningOf(component, name);
    return [name, { ...explain(member, name), ...(description && { description }) }];
  });
  return Object.fromEntries(explained);
}
