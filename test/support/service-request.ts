import { queryString } from '#client/management/management-request.ts';
import type { ServiceOperation } from '#shared/contract/operation.ts';
import type { AnyCall } from './outcomes.ts';

/** Method, target and body of a request of the Service API. */
export function serviceRequest({ method, path }: ServiceOperation, { path: names, query = {}, body }: AnyCall) {
  const target =
    path.replace(/\{(\w+)\}/g, (_, name) => names?.[name] ?? '') + queryString(query as Record<string, string>);
  return { method, target, ...(body !== undefined && { body: body as object }) };
}
