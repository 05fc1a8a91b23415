import { describeFields } from '#shared/contract/resource-fields-documents.ts';
import { connectionFields } from './connection-fields.ts';

describeFields(connectionFields, {
  name: 'The name of the connection for people.',
  issuer:
    "The issuer of the users' JWTs, which `/access/v1/authorize` verifies with the issuer's published keys; the user is their `sub`. `null` if users are identified otherwise.",
  audience: 'The audience that those JWTs must name. Required with `issuer`.',
  trustsUserHeader:
    'Whether the proxy that calls `/access/v1/authorize` sets `X-Original-User` in every request, so that the header identifies the user. If it does not, callers can claim to be any user.',
  clients:
    'The applications of the clients of an identity provider that calls `/hooks`, such as `0oa1=wiki 0oa2=billing`. Any other client has the application of its own id, if the connection names it.',
  userIdClaim:
    "The claim that contains the user's id, in what an identity provider sends to `/hooks`. `null` for its own id of the user.",
  userIdAttribute:
    'For a directory: the attribute of its users that becomes the `userId`, which every application knows them by. It never changes. Choose one that the directory never reassigns. `null` for other kinds.',
  takeover:
    'For a directory: `matching` if a user that it sends may be an existing one with this `userId` whom no other connection owns; with `none`, the default, that is a conflict. `null` for other kinds.',
});
