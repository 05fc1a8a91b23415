import { managementRequest, queryString } from '#client/management/management-request.ts';
import { type EntryPoint, type ManageAccess, manageClient, operatorAt } from './manage-client.ts';
import type { AnyCall } from './outcomes.ts';
import { type Answer, freshNonce } from './send-request.ts';

export interface AskOptions {
  /** Of an admin. Default: IAM. */
  readonly entryPoint?: EntryPoint;
  /** The roles of an operator with a token, as its groups. */
  readonly groups?: readonly string[] | undefined;
  /** Default: each request is a call of its own. */
  readonly idempotencyKey?: string;
  readonly dryRun?: true;
  readonly ifMatch?: string | undefined;
}

/** Sends requests for operations of the Management API, as its clients do. */
export type AskOperation = (name: string, call: AnyCall, options?: AskOptions) => Promise<Answer>;

export function operationClient(service: () => ManageAccess): AskOperation {
  const manage = manageClient(service);
  const tokenOf = (groups: readonly string[]) => {
    const { id: sub, email } = operatorAt.jwt as { id: string; email: string };
    return service().login.mintToken({ sub, email, 'cognito:groups': groups });
  };
  return async (name, call, { entryPoint = 'iam', groups, idempotencyKey = freshNonce(), dryRun, ifMatch } = {}) => {
    const whole = { ...call, ...(dryRun && { query: { ...call.query, dryRun } }) };
    const request = managementRequest(name as 'get-user', whole as never, { idempotencyKey });
    const target = request.path.slice('/api/manage'.length) + queryString(request.query);
    const headers = { ...request.headers, ...(ifMatch !== undefined && { 'if-match': ifMatch }) };
    const sent = { body: request.body, headers };
    if (groups === undefined) return manage(entryPoint, request.method, target, sent);
    return manage('jwt', request.method, target, { ...sent, token: await tokenOf(groups) });
  };
}
