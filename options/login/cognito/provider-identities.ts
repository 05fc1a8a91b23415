import * as v from 'valibot';
import { callPool } from './call-pool.ts';
import type { CompanyProvider } from './company-provider.ts';
import { accountNameOf, type PoolAccount } from './pool-accounts.ts';

/** Who somebody is at a provider: the value of an attribute, by its name in the pool or as the subject. */
export interface ProviderIdentity {
  readonly attribute: string;
  readonly value: string;
}

/** The subject of an OpenID provider. */
export const subjectName = 'Cognito_Subject';

const identitiesSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(v.object({ providerName: v.string(), userId: v.string() })),
);

/** The identities by which the owner of an account logs in, as Cognito lists them. */
export function identitiesOf({ attributes }: PoolAccount): v.InferOutput<typeof identitiesSchema> {
  return attributes.identities === undefined ? [] : v.parse(identitiesSchema, attributes.identities);
}

/**
 * Lets somebody log in to the account of a user at a provider. Cognito refuses an identity that has an account, and a user with
 * attributes that cannot be changed.
 * https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminLinkProviderForUser.html
 */
export async function linkIdentity(
  pool: string,
  { name }: CompanyProvider,
  link: { readonly userId: string; readonly identity: ProviderIdentity },
): Promise<void> {
  const { attribute, value } = link.identity;
  await callPool('AdminLinkProviderForUser', {
    UserPoolId: pool,
    DestinationUser: { ProviderName: 'Cognito', ProviderAttributeValue: accountNameOf(link.userId) },
    SourceUser: { ProviderName: name, ProviderAttributeName: attribute, ProviderAttributeValue: value },
  });
}
