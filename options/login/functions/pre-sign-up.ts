import type { SignUpEvent } from '../cognito/sign-up-event.ts';
import { tryCompanyLogin } from '../server/company-sign-up.ts';

/** Cognito shows them after `PreSignUp failed with error`. */
const messages = {
  linked: 'Your account is connected now. Log in again.',
  denied: 'You have no account here.',
  failed: 'The login is not available. Try again.',
};

/**
 * Called by the user pool before it creates an account. Only the service does so; whoever logs in at the provider of a company for the
 * first time gets the account that the service has created, with the next login.
 */
export async function handler(event: SignUpEvent): Promise<SignUpEvent> {
  const { triggerSource, userPoolId: pool, userName, request } = event;
  if (triggerSource === 'PreSignUp_AdminCreateUser') return event;
  if (triggerSource !== 'PreSignUp_ExternalProvider') throw new Error(messages.denied);
  throw new Error(messages[await tryCompanyLogin({ pool, userName, attributes: request.userAttributes ?? {} })]);
}
