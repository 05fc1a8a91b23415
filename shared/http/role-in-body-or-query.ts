import { invalidField } from '#shared/core/errors.ts';
import { readQuery } from './read-query.ts';
import type { ServiceEvent } from './service-event.ts';
import type { BodySource } from './validate-input.ts';

/** The role to revoke, from the body or, for clients and proxies that drop bodies of DELETE, from `?role=`. */
export function roleInBodyOrQuery({ body, rawQueryString }: ServiceEvent): ReturnType<BodySource> {
  const role = readQuery(rawQueryString, ['role']).get('role');
  if (role === null) return { pointerPrefix: '#', value: body };
  if (body !== undefined && roleOf(body) !== role)
    throw invalidField('query:role', 'differs from the role in the body');
  return body === undefined ? { pointerPrefix: 'query:', value: { role } } : { pointerPrefix: '#', value: body };
}

function roleOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'role' in body ? body.role : undefined;
}
