import type { Change } from '#shared/contract/change.ts';
import { digest } from '#shared/core/ids.ts';

type Caller = Change['caller'];

/**
 * The names by which a caller is found, in lower case: an operator by id, e-mail address, its part before the `@`, and
 * the last part of an IAM ARN; an API key by its id and its application, that of a connection by its id and its connection.
 */
export function callerNames(caller: Caller): string[] {
  if (caller.kind === 'api-key') return [caller.keyId, caller.appId].map(lowerCase);
  if (caller.kind === 'connection') return [caller.keyId, caller.connectionId].map(lowerCase);
  if (caller.kind === 'service') return ['service'];
  const { id, via, email } = caller;
  const names = [
    id,
    via === 'iam' && id.startsWith('arn:') ? id.split('/').at(-1) : undefined,
    email,
    email?.split('@')[0],
  ];
  return [...new Set(names.flatMap((name) => name ?? []).map(lowerCase))];
}

/** Whether a caller is found by this name. Ids are case-sensitive, all other names are not. */
export function isCalledBy(caller: Caller, name: string): boolean {
  if (caller.kind === 'operator' && lowerCase(caller.id) === lowerCase(name) && caller.id !== name) return false;
  return callerNames(caller).includes(lowerCase(name));
}

/** The digests by which a change is found in the global history, so that it need not hold e-mail addresses. */
export function digestsOfCaller(caller: Caller): string {
  return callerNames(caller).map(digestOfName).join(' ');
}

/** Truncated digests can collide, so matches are compared by name again. */
export function digestOfName(name: string): string {
  return digest(lowerCase(name)).slice(0, 12);
}

function lowerCase(text: string): string {
  return text.toLowerCase();
}
