import { isUserId } from '#shared/contract/fields.ts';
import { runWithin } from '#shared/core/clock.ts';
import { log, publishMetrics } from '#shared/core/telemetry.ts';
import { readItems } from '#shared/table/client.ts';
import { userOf } from '#shared/table/items/user-item.ts';
import { userKey } from '#shared/table/keys/user-item-keys.ts';
import { PoolError } from '../cognito/call-pool.ts';
import { companyProvider, domainOf, inLowerCase } from '../cognito/company-login.ts';
import { type CompanyProvider, providerAttributes } from '../cognito/company-provider.ts';
import { isAccountOf, type PoolAccount, readAccountOfAddress, userIdOf } from '../cognito/pool-accounts.ts';
import { identitiesOf, linkIdentity, type ProviderIdentity, subjectName } from '../cognito/provider-identities.ts';
import { accountOf } from '../table/login-account-item.ts';

/** Somebody has logged in at the provider of a company for the first time. */
export interface CompanySignUp {
  readonly pool: string;
  /** The name that Cognito would give the account: that of the provider, `_`, and the subject in lower case. */
  readonly userName: string;
  readonly attributes: Readonly<Record<string, string | undefined>>;
}

/** What came of it; of a failure, the next attempt may succeed. */
export type SignUpOutcome = 'linked' | 'denied' | 'failed';

/** Why somebody is refused: another provider, an address that is not trusted, no such account, or the account of another identity. */
type Denial = 'provider' | 'address' | 'account' | 'identity';

/** Cognito waits for 5 s. */
const milliseconds = 4_000;

/**
 * Gives whoever logs in at the provider of a company the account of the user with the same e-mail address, by which the next login is
 * one here. The provider is trusted for the addresses of its domains alone, and an account belongs to one identity there: nobody gets
 * that of somebody else by another address, nor by one that was theirs.
 */
export async function tryCompanyLogin(signUp: CompanySignUp): Promise<SignUpOutcome> {
  try {
    const denial = await runWithin(milliseconds, () => link(signUp));
    // Both end with an error, and neither is a failure.
    publishMetrics({ LoginsRefused: 1 }, { route: 'pre-sign-up' });
    if (denial === undefined) return 'linked';
    log.info('A login at the provider of a company was refused', { reason: denial });
    return 'denied';
  } catch (error) {
    // What Cognito says can contain what it refused.
    const said = error instanceof PoolError ? error.code : error;
    log.error('A login at the provider of a company failed', { error: said });
    return 'failed';
  }
}

async function link({ pool, userName, attributes }: CompanySignUp): Promise<Denial | undefined> {
  const provider = companyProvider();
  if (provider === undefined || !isOf(provider, userName)) return 'provider';
  const address = trustedAddress(provider, attributes);
  const identity = identityIn(provider, attributes);
  if (address === undefined || identity === undefined) return 'address';
  const account = await readAccountOfAddress(pool, address);
  if (account === undefined || !(await isOfUser(account, address))) return 'account';
  const earlier = identitiesOf(account).filter(({ providerName }) => isSame(providerName, provider.name));
  if (earlier.length > 0) return earlier.some(({ userId }) => userId === identity.value) ? undefined : 'identity';
  await linkIdentity(pool, provider, { userId: userIdOf(account), identity });
  return undefined;
}

/** Names in the pool ignore case. */
function isOf({ name }: CompanyProvider, userName: string): boolean {
  return isSame(userName.slice(0, name.length + 1), `${name}_`);
}

function isSame(one: string, other: string): boolean {
  return inLowerCase(one) === inLowerCase(other);
}

/** The address for which the provider is trusted: of its domains, and verified; an OpenID provider says so. */
function trustedAddress(
  { type, domains }: CompanyProvider,
  { [providerAttributes.email]: email, [providerAttributes.isVerified]: isVerified }: CompanySignUp['attributes'],
): string | undefined {
  if (email === undefined || (type === 'OIDC' && isVerified !== 'true')) return undefined;
  return /^[^@\s]+@[^@\s]+$/.test(email) && domains.includes(domainOf(email)) ? email : undefined;
}

/**
 * An OpenID provider never gives a subject to somebody else. The id of a SAML assertion is known in lower case alone, by which Cognito
 * would not find it again, so there it is the address, which Cognito replaces by the id at the first login.
 */
function identityIn(
  { type }: CompanyProvider,
  { [providerAttributes.subject]: subject, [providerAttributes.email]: email }: CompanySignUp['attributes'],
): ProviderIdentity | undefined {
  if (type === 'SAML') return email === undefined ? undefined : { attribute: providerAttributes.email, value: email };
  return subject ? { attribute: subjectName, value: subject } : undefined;
}

/** Whether an account is that of an active user who has the address, as the table says. */
async function isOfUser(account: PoolAccount, address: string): Promise<boolean> {
  const userId = userIdOf(account);
  if (!isUserId(userId)) return false;
  const [item] = await readItems([userKey(userId)]);
  const user = userOf(item);
  if (user?.status !== 'active' || accountOf(user) === undefined || !isAccountOf(account, user)) return false;
  return user.email !== null && isSame(user.email, address);
}
