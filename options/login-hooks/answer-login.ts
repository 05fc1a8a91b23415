import { type AccessQuestion, type Evaluation, evaluateAccess } from '#options/connections/server/answer-questions.ts';
import { requireConnectionScope } from '#options/connections/server/authorize-connection.ts';
import { applicationOfClient } from '#options/connections/server/client-applications.ts';
import type { Connection } from '#options/connections/table/connection-item.ts';
import type { ConnectionId } from '#shared/contract/fields.ts';
import { enterAction } from '#shared/domain/access/decide-evaluation.ts';
import type { ConnectionCaller } from '#shared/domain/request/request-context.ts';

/** An identity provider is about to issue tokens to a client. */
export interface Login {
  readonly clientId: string;
  /**
   * The id of the user by the named claim, or by `null` as the identity provider knows the user; undefined if it has not said.
   * Absent if no user logs in.
   */
  readonly userIdBy?: ((claim: string | null) => string | undefined) | undefined;
}

/** The names of the user's roles, undefined if no user logs in; or why no tokens may be issued. */
export type LoginAnswer = { readonly roles: readonly string[] | undefined } | { readonly denied: string };

/** How a connection names clients and users. */
type LoginRules = Pick<Connection, 'clients' | 'userIdClaim'>;

/**
 * The rules that connections had when this process last read them. They decide only what is read together with the
 * connection; its own rules decide what is answered.
 */
const lastRules = new Map<ConnectionId, LoginRules>();

/**
 * May the user enter the application to which the client belongs? One request to the table; a second one if the process has not
 * seen the connection's rules yet. The key must also have the scope `roles:read`.
 */
export async function answerLogin(login: Login, caller: ConnectionCaller): Promise<LoginAnswer> {
  const { connection, answers } = await evaluateByRules(login, caller);
  requireConnectionScope(connection, caller, 'roles:read');
  const appId = applicationOfClient(connection.clients, login.clientId);
  if (!connection.applications.some((one) => one === appId)) return { denied: 'application_not_allowed' };
  if (login.userIdBy === undefined) return { roles: undefined };
  const [answer] = answers;
  if (answer === undefined) return { denied: 'user_unidentified' };
  const { code = 'user_blocked', roles = [] } = answer.context as { code?: string; roles?: readonly string[] };
  return answer.decision ? { roles } : { denied: code };
}

/** Reads until the connection has the rules by which the question was asked. The request's deadline ends it in any case. */
async function evaluateByRules(login: Login, caller: ConnectionCaller): Promise<Evaluation> {
  let rules: LoginRules = lastRules.get(caller.connectionId) ?? { clients: null, userIdClaim: null };
  for (;;) {
    const asked = questionOf(login, rules);
    const evaluation = await evaluateAccess(asked === undefined ? [] : [asked], caller);
    const { clients, userIdClaim } = evaluation.connection;
    rules = { clients, userIdClaim };
    lastRules.set(caller.connectionId, rules);
    if (isSame(questionOf(login, rules), asked)) return evaluation;
  }
}

/** Undefined if there is no user to ask about. */
function questionOf({ clientId, userIdBy }: Login, { clients, userIdClaim }: LoginRules): AccessQuestion | undefined {
  const userId = userIdBy?.(userIdClaim);
  if (userId === undefined) return undefined;
  return { userId, appId: applicationOfClient(clients, clientId), action: enterAction };
}

function isSame(one: AccessQuestion | undefined, other: AccessQuestion | undefined): boolean {
  return one?.userId === other?.userId && one?.appId === other?.appId;
}
