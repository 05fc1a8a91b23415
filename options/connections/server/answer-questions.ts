import { type AppId, isUserId } from '#shared/contract/fields.ts';
import { now } from '#shared/core/clock.ts';
import { type ActionDecision, decideEvaluation, enterAction } from '#shared/domain/access/decide-evaluation.ts';
import type { ConnectionCaller } from '#shared/domain/request/request-context.ts';
import type { AccessSubject } from '#shared/table/items/access-item.ts';
import { evaluation } from '../contract/evaluation.ts';
import { type ReadForConnection, readForConnection } from '../table/connection-read.ts';
import { authorizeConnection, requireConnectionScope } from './authorize-connection.ts';

/** May the user enter the application or, unless the action is `enter`, act in the role that it names? */
export interface AccessQuestion {
  readonly userId: string;
  readonly appId: string;
  readonly action: string;
}

/** An answer to a question that the connection cannot ask. */
interface NotAllowed {
  readonly decision: false;
  readonly context: { readonly code: 'application_not_allowed' };
}

export type AccessAnswer = ActionDecision | NotAllowed;

/** What the questions of a request are answered from. */
export interface Evaluation extends Pick<ReadForConnection, 'connection'> {
  readonly answers: readonly AccessAnswer[];
}

/**
 * Answers up to 33 questions, in their order, with one request to the table. An application that the connection does not name
 * is answered like one that does not exist. Without the scope `roles:read` no question may name a role, and no answer has
 * roles.
 */
export async function evaluateAccess(
  questions: readonly AccessQuestion[],
  caller: ConnectionCaller,
): Promise<Evaluation> {
  const asked = questions.map((question) => ({ question, subject: subjectOf(question) }));
  const guarded = await readForConnection(
    caller.connectionId,
    asked.flatMap(({ subject }) => subject ?? []),
  );
  const at = now();
  const { connection, applications, accesses } = await authorizeConnection(caller, guarded, evaluation, at);
  if (questions.some(({ action }) => action !== enterAction)) requireConnectionScope(connection, caller, 'roles:read');
  const answers = asked.map(({ question: { action, appId }, subject }): AccessAnswer => {
    if (!connection.applications.some((one) => one === appId)) return notAllowed;
    const { user, access } = (subject && accesses.get(subject)) ?? {};
    if (user === undefined || access === undefined) return unknownUser;
    const application = applications.get(access.appId);
    return application === undefined ? notAllowed : decideEvaluation({ application, user, access }, action, at);
  });
  const mayReadRoles = connection.keys[caller.keyId]?.scopes.includes('roles:read') === true;
  return { connection, answers: mayReadRoles ? answers : answers.map(withoutRoles) };
}

const notAllowed: NotAllowed = { decision: false, context: { code: 'application_not_allowed' } };
const unknownUser: ActionDecision = { decision: false, context: { code: 'user_not_found' } };

/** Undefined if the text is not a user id, and so matches no user. The application may be any text. */
function subjectOf({ userId, appId }: AccessQuestion): AccessSubject | undefined {
  return isUserId(userId) ? { userId, appId: appId as AppId } : undefined;
}

function withoutRoles({ decision, context }: AccessAnswer): AccessAnswer {
  if (!('roles' in context)) return { decision, context } as AccessAnswer;
  const { roles: _, ...rest } = context;
  return { decision, context: rest };
}
