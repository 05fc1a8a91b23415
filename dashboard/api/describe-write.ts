import type { ManageOperationName } from '#shared/contract/operations.ts';
import { countOf } from '#shared/contract/wording.ts';
import { accessVerbs, userStatusVerbs } from '../words.ts';
import { operationRoutes } from './operation-routes.ts';

interface WriteParts {
  readonly path?: object;
  readonly query?: object;
  readonly body?: object;
}

/**
 * What a request changes, in words that name no user: `Block access: wiki`. Undefined for one that changes nothing, such as a
 * read or a dry run.
 */
export function describeWrite(name: ManageOperationName, { path, query, body }: WriteParts): string | undefined {
  const { method, role } = operationRoutes[name];
  const { dryRun, userIds, users, status } = { ...query, ...body } as Readonly<Record<string, unknown>>;
  if (method === 'GET' || role === 'viewer' || (dryRun !== undefined && String(dryRun) === 'true')) return undefined;
  const { userId: _, changeId: _change, ...places } = { ...path } as Readonly<Record<string, string>>;
  const many = [userIds, users].find((list) => Array.isArray(list));
  const details = [...Object.values(places), ...(many === undefined ? [] : [countOf(many.length, 'user')])];
  const words = statusWords.get(status) ?? name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ');
  return details.length === 0 ? words : `${words}: ${details.join(', ')}`;
}

/** The words for what sets a status, which its operation's name lacks. */
const statusWords = new Map<unknown, string>([
  ...Object.entries(accessVerbs).map(([status, verb]) => [status, `${verb} access`] as const),
  ...Object.entries(userStatusVerbs),
]);
