/** The types of the custom resources of an `AccessApplication`. */
export const resourceTypes = {
  application: 'Custom::AccessApplication',
  role: 'Custom::AccessApplicationRole',
  key: 'Custom::AccessApplicationKey',
  login: 'Custom::AccessApplicationLogin',
} as const;

/** The properties of all of them; CloudFormation passes all of them as text. */
export interface RegistrationProperties {
  readonly ManageUrl: string;
  readonly AppId: string;
  /** Whether to delete it even while users hold roles or have an access of their own: `true` or `false`. */
  readonly Force: string;
  /** Of an application: what the Management API accepts for a new one besides its id, as JSON. */
  readonly Settings?: string;
  /** Of a role. */
  readonly Role?: string;
  readonly Description?: string;
  /** Of a key: as in `KeyOwner`; the scopes separated by commas. */
  readonly Url?: string;
  readonly Label?: string;
  readonly Scopes?: string;
  readonly SecretId?: string;
  /** Of a key and a login: `confidential`, unless people log in by a public client or not at all. */
  readonly ClientType?: string;
  /** Of a login: the addresses, as JSON. */
  readonly RedirectUris?: string;
  readonly LogoutUris?: string;
}
