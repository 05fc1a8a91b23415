import type { Scope } from '#shared/contract/operation.ts';
import { serviceOperations } from '#shared/contract/operations.ts';
import type { SentRequest } from './send-request.ts';
import type { RequestByHand } from './sign-by-hand.ts';

/* Requests whose authentication is tested, and what may happen to them after they were signed. */

export const target = '/api/service/users/ada/access';
export const read: RequestByHand & { scope: Scope } = {
  method: 'GET',
  target,
  scope: serviceOperations['get-access'].scope,
};
export const write: typeof read = { method: 'PUT', target, body: '{"status":"enabled"}', scope: 'access:write' };

/** A modification of a request between its signer and the service. */
export type Change = (sent: SentRequest) => SentRequest;
export const unchanged: Change = (sent) => sent;
export const setHeaders =
  (headers: SentRequest['headers']): Change =>
  (sent) => ({ ...sent, headers: { ...sent.headers, ...headers } });
export const editHeader =
  (name: string, edit: (value: string) => string | string[]): Change =>
  (sent) =>
    setHeaders({ [name]: edit(String(sent.headers[name])) })(sent);
export const dropHeaders =
  (...names: readonly string[]): Change =>
  (sent) => ({
    ...sent,
    headers: Object.fromEntries(Object.entries(sent.headers).filter(([n]) => !names.includes(n))),
  });
