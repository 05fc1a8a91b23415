import { describedPage } from './answers-documents.ts';
import { changeIntegritySchema } from './change-integrity.ts';
import {
  applicationCallerSchema,
  applicationChangePageSchema,
  applicationChangeSchema,
  callerSchema,
  changePageSchema,
  changeSchema,
  changeViewSchema,
  narrowedChangePageSchema,
  recordedStateEntries,
} from './change-schemas.ts';
import { describeMembers } from './descriptions.ts';

const whoCalls =
  'An application with its API key, an operator, a connection, such as a directory, or the service itself.';

describeMembers(callerSchema.options[0].entries, {
  kind: whoCalls,
});
describeMembers(callerSchema.options[1].entries, {
  kind: whoCalls,
  via: 'How the operator was authenticated: `iam` at the function URL, `token` at the HTTP API.',
  issuer: "The issuer of the operator's token.",
  id: "The IAM ARN, or the token's `sub`, which only its issuer vouches for.",
  email: "The e-mail address of the operator's token, if it has one.",
  role: "The operator's role, in the application of the change if it has one.",
});
describeMembers(callerSchema.options[2].entries, { kind: whoCalls });
describeMembers(callerSchema.options[3].entries, { kind: whoCalls });
describeMembers(applicationCallerSchema.options[1].entries, { kind: whoCalls });
describeMembers(applicationCallerSchema.options[2].entries, { kind: whoCalls });
describeMembers(recordedStateEntries, {
  version: 'The version of the changed item. The higher of two is the newer.',
});
describeMembers(changeIntegritySchema.entries, {
  root: 'The version of the root from which the key of the MAC is derived.',
  previous:
    'The `mac` of the previous change of the same user, access, role, application or connection; `null` for the first.',
  salt: 'The salt of the digest of the personal data. It is removed together with that data.',
  personal: 'In a redacted change: the digest of the personal data, in place of that data and the salt.',
  mac: 'The MAC of all other members of the change. Only the service can compute it.',
});
describeMembers(changeSchema.entries, {
  id: 'A ULID. All deliveries of the same change have the same id.',
  at: 'When it happened.',
  action: 'What happened. New actions may be added.',
  appId: 'The application. In the Service API it is always that of the API key.',
  connectionId: 'The connection.',
  userId: 'The user, by the id that your applications share.',
  role: 'The name of the role in the application. Case-sensitive.',
  keyId: 'The key of the application or connection. Not secret.',
  webhookId: 'The webhook of the application.',
  bulkId: 'The bulk change that the change, or the one that it undid, is part of. Absent if there is none.',
  caller: 'Who made the change.',
  requestId: 'The id of the request, as in its `Apigw-Requestid` or `X-Amzn-RequestId` header and in the log.',
  sourceIp: 'The source address of the request.',
  undoOf: 'The `id` of the change that this one undid. Absent if it undid none.',
  before: 'The state before; `null` if there was none.',
  after: 'The state after; `null` if there is none.',
  reason: 'The reason that the caller gave.',
  ticket: 'The ticket that the caller gave, such as `INC-1234`. Absent if there was none.',
  integrity: 'Links the change to the previous one, which reveals altered and removed changes.',
});
describeMembers(applicationChangeSchema.entries, {
  action: 'What happened. New actions may be added.',
  caller: 'Who made the change; operators and connections are anonymous.',
  sourceIp: "The source address of a request with the application's API key. Absent for others.",
  signature:
    'A JWS with detached content (RFC 7515, appendix F) over all other members, serialized by RFC 8785. `GET /api/service/change-keys` has the keys.',
});
describeMembers(changeViewSchema.entries, {
  undo: 'Whether the operator can undo the change, by its kind and the roles: `possible`, or the code of the refusal. Only the undo itself checks what has changed since. Not part of the record: exports and events do not contain it, and the MAC does not cover it.',
});
describedPage(narrowedChangePageSchema);
describedPage(changePageSchema, {
  cursor:
    'Leads to the next page, as `?cursor=` backward and `?after=` forward. Forward it is `null` only if there is no change yet.',
});
describeMembers(applicationChangePageSchema.entries, {
  items: 'The changes of this page.',
  pending: 'How many changes at the end of the page have no number yet. The next answers repeat them until they do.',
  omitted:
    'With `pending=new`: how many changes without a number this page leaves out, because an answer before had them. They come once more when they get their numbers.',
  more: 'Whether the next page has more already. If `false`, ask again at your own interval.',
  cursor: 'Leads to the next page, as `?after=`, even if there is nothing new. Keep it until the next answer.',
});
