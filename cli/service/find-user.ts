import type { ManagementClient } from '#client/management/management-client.ts';
import { isUserId } from '#shared/contract/fields.ts';
import { nameUser } from '#shared/contract/wording.ts';
import { CliError, exitCodes } from '../terminal/cli-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { TypedAddress } from '../terminal/typed-user.ts';

interface Asking {
  readonly client: ManagementClient;
  readonly terminal: Pick<Terminal, 'note'>;
}

/** Typed arguments or options with the ids of users in place of their e-mail addresses; one request for each address. */
export async function withUserIds<Values extends object>(values: Values, asking: Asking): Promise<Values> {
  const found = Object.entries(values).map(async ([name, value]: [string, unknown]) => [
    name,
    value instanceof TypedAddress ? await findUser(value, asking) : value,
  ]);
  return Object.assign(Array.isArray(values) ? [] : {}, values, Object.fromEntries(await Promise.all(found)));
}

/** The id of the user with this id or e-mail address. A text that nobody has, and that could be an id, stays as it is. */
async function findUser({ text }: TypedAddress, { client, terminal }: Asking): Promise<string> {
  const { items } = await client.call('resolve-users', { body: { names: [text] } });
  const users = items.flatMap((item) => item.users);
  const [user] = users;
  if (users.length > 1) {
    throw new CliError(`${users.length} users have the e-mail address ${text}. Name one of them by its id.`, {
      notes: users.map(nameUser),
    });
  }
  if (user !== undefined) {
    if (user.userId !== text) terminal.note(`${text} is the user ${nameUser(user)}.`);
    return user.userId;
  }
  if (isUserId(text)) return text;
  throw new CliError(`No user has the e-mail address ${text}.`, { exitCode: exitCodes.notFound });
}
