import { InvalidArgumentError } from 'commander';
import * as v from 'valibot';
import { userIdSchema } from '#shared/contract/fields.ts';
import { maxSearchLength } from '#shared/contract/user.ts';

/** An e-mail address in place of a user id, until the service has said whose it is. It can also be an id itself. */
export class TypedAddress {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A user as typed: an id, or an e-mail address, which is replaced by the id before a command runs. */
export function parseUser(text: string): string | TypedAddress {
  if (text.includes('@') && text.length <= maxSearchLength) return new TypedAddress(text);
  const { success, issues } = v.safeParse(userIdSchema, text);
  if (success) return text;
  throw new InvalidArgumentError(`It ${issues[0].message}, or an e-mail address.`);
}
