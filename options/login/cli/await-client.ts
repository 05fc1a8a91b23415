import { setTimeout as pause } from 'node:timers/promises';
import { CliError, exitCodes } from '#cli/terminal/cli-error.ts';
import type { LoginView } from '../contract/login.ts';

interface Patience {
  readonly patienceMilliseconds: number;
  readonly intervalMilliseconds: number;
}

/** The provider has a client within a few seconds, unless it is slow or cannot be reached. */
const usualPatience: Patience = { patienceMilliseconds: 30_000, intervalMilliseconds: 1000 };

/**
 * Reads a login that was set until the provider has its client or says why not; after 30 s, returns what was read last. An error
 * that a changed login still has may be that of an earlier change, so another answer is awaited.
 */
export async function awaitClient(
  login: LoginView & { readonly changed: boolean },
  read: () => Promise<LoginView>,
  { patienceMilliseconds, intervalMilliseconds }: Patience = usualPatience,
): Promise<LoginView> {
  const earlier = login.changed ? login.error : null;
  const isSettled = ({ clientId, error }: LoginView) => (error === null ? clientId !== null : error !== earlier);
  const until = Date.now() + patienceMilliseconds;
  let latest: LoginView = login;
  while (!isSettled(latest) && Date.now() < until) {
    await pause(intervalMilliseconds);
    latest = await read();
  }
  return latest;
}

/** Throws what the provider said when it refused a login, or that it has no client of it yet. */
export function requireClient({ clientId, error }: LoginView): void {
  if (error !== null) throw new CliError(`The provider refused the login: ${error}`);
  if (clientId !== null) return;
  throw new CliError('The login is recorded, but the provider has not set up its client yet.', {
    exitCode: exitCodes.unavailable,
    notes: ['Look again later with "logins show".'],
  });
}
