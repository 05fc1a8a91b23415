import { Argument, InvalidArgumentError, type Option } from 'commander';
import { oneOfScopes, parserOf } from '#cli/terminal/arguments.ts';
import { connectionIdSchema } from '#shared/contract/fields.ts';
import { connectionKinds } from '#shared/contract/operation.ts';

/** The connection that a command is about. */
export const connectionArgument = () =>
  new Argument('<connection>', 'connection id').argParser(parserOf(connectionIdSchema));

/** The key of the connection that a command is about. */
export const connectionKeyArgument = () =>
  new Argument('<key>', 'key id, such as svc_c1_gateway_01JD…').argParser(parseConnectionKeyId);

/** The scopes of a new key. */
export function connectionScopeOption(): Option {
  return oneOfScopes(Object.values(connectionKinds).flat(), 'all');
}

function parseConnectionKeyId(text: string): string {
  if (/^svc_[a-zA-Z0-9_-]+$/.test(text)) return text;
  throw new InvalidArgumentError('It must be the id of a connection\'s key; "connections show" shows them.');
}
