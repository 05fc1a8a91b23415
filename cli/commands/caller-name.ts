import type { Change } from '#shared/contract/change.ts';

/** The key id, the e-mail address, or the end of the ARN. The subject of a token is never treated as an ARN. */
export function callerName(caller: Change['caller']): string {
  if (caller.kind === 'api-key') return caller.keyId;
  return `${operatorName(caller)} (${caller.role})`;
}

function operatorName({ via, email, id }: Extract<Change['caller'], { kind: 'operator' }>): string {
  if (via === 'token') return email ?? `token ${id}`;
  return id.replace(/^arn:[a-z-]+:(?:iam|sts)::\d*:/, '');
}
