import type { Change } from '#shared/contract/change.ts';
import { digest } from '#shared/core/ids.ts';

type Caller = Change['caller'];

/**
 * By what a caller is found, in lower case: an operator by the id, the e-mail address, the part of it before the `@`, and
 * of an IAM ARN what it ends in; an API key by its id and its application.
 */
export function callerNames(caller: Caller): string[] {
  if (caller.kind === 'api-key') return [caller.keyId, caller.appId].map(lowerCase);
  const { id, via, email } = caller;
  const names = [
    id,
    via === 'iam' && id.startsWith('arn:') ? id.split('/').at(-1) : undefined,
    email,
    email?.split('@')[0],
  ];
  return [...new Set(names.flatMap((name) => name ?? []).map(lowerCase))];
}

/** Whether a caller is found by this name. Ids are compared to the letter, all else without case. */
export function isCalledBy(caller: Caller, name: string): boolean {
  if (caller.kind === 'operator' && lowerCase(caller.id) === lowerCase(name) && caller.id !== name) return false;
  return callerNames(caller).includes(lowerCase(name));
}

/** The digests by which a change is found in the history over all, which then need not hold addresses. */
export function digestsOfCaller(caller: Caller): string {
  return callerNames(caller).map(digestOfName).join(' ');
}

/** Two names may share one, so whoever is found by it is compared once more. */
export function digestOfName(name: string): string {
  return digest(lowerCase(name)).slice(0, 12);
}

function lowerCase(text: string): string {
  return text.toLowerCase();
}
