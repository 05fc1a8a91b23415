/** The provider at which the people of a company log in. */
export interface CompanyProvider {
  /** Its name in the pool, without `_`. */
  readonly name: string;
  readonly type: 'OIDC' | 'SAML';
  /** The domains of whose e-mail addresses it is trusted, in lower case. */
  readonly domains: readonly string[];
}

/**
 * The attributes of a sign-up that have what a company's provider says of the person: its own id and the address, which do not replace
 * those of the account. They are kept with the account, whose owner could change them; so they are read at the sign-up alone.
 */
export const providerAttributes = {
  subject: 'custom:provider_subject',
  email: 'custom:provider_email',
  isVerified: 'custom:provider_verified',
} as const;
