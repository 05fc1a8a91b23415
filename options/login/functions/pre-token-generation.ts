import { log, publishMetrics } from '#shared/core/telemetry.ts';
import { questionOf, type TokenEvent, withClaims } from '../cognito/token-event.ts';
import { decideLogin } from '../server/login-decision.ts';

/** Cognito shows it after `PreTokenGeneration failed with error`. */
const denial = 'You have no access to this application.';

/**
 * Called by the user pool before each token, at a login and at each refresh: whoever may not enter the application gets none, and
 * everybody else's name the user and the roles. Whatever fails here is a refusal.
 */
export async function handler(event: TokenEvent): Promise<TokenEvent> {
  const question = questionOf(event);
  const decision = question && (await decideLogin(question));
  if (decision && 'roles' in decision) return withClaims(event, { userId: question.userId, roles: decision.roles });
  const { callerContext, triggerSource: trigger } = event;
  log.info('A login was refused', { clientId: callerContext.clientId, reason: decision?.denied ?? 'account', trigger });
  publishMetrics({ LoginsRefused: 1 }, { route: 'pre-token-generation' });
  throw new Error(denial);
}
