import { alterItem } from './alter-item.ts';
import type { Ask } from './each-entry-point.ts';
import type { Key } from './send-request.ts';
import type { TestService } from './start-service.ts';

/** A key for all that concerns users. */
const withoutEnd = { scopes: ['access:read', 'access:write', 'roles:write'], expiresAt: null };

/** Issues and rotates the keys of applications through an entry point, uses them, and changes them in the table. */
export function keyRequests(service: () => TestService, ask: Ask) {
  const issue = async (appId: string, body: object = withoutEnd): Promise<Key> =>
    (await ask('POST', `/applications/${appId}/keys`, body)).body;

  const rotate = (appId: string, { keyId }: Key, overlap: unknown = 'PT24H', more: object = {}) =>
    ask('POST', `/applications/${appId}/keys/${keyId}/rotate`, { overlap, ...more });

  /** Returns the response to a request signed with the key: 200, or the error code. */
  const useOf = async (key: Key): Promise<unknown> => {
    const { status, body } = await service().request(['GET', '/api/service/users/ada/access'], { key });
    return status === 200 ? 200 : body.code;
  };

  /** Changes a member of a key in the item of its application. */
  const alterKey = (appId: string, keyId: string, member: string, value: unknown) =>
    alterItem(service(), [`APP#${appId}`, 'APP'], ['keys', keyId, member], value);

  return { issue, rotate, useOf, alterKey };
}
