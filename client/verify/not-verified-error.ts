/** Why a change is not verified. */
export type NotVerifiedReason =
  /** It has no signature: the service did not sign it, or somebody removed it. */
  | 'missing-signature'
  /** The signature is not one of the service's form. */
  | 'malformed'
  /** The service has no key of this name. */
  | 'unknown-key'
  /** It is not what the service signed. */
  | 'altered'
  /** The keys could not be fetched. Try again. */
  | 'keys-unavailable';

const messages: Readonly<Record<NotVerifiedReason, string>> = {
  'missing-signature': 'The change has no signature',
  malformed: 'The signature of the change is malformed',
  'unknown-key': 'The service has no key of the name in the signature',
  altered: 'The change is not what the service signed',
  'keys-unavailable': 'The keys that verify changes could not be fetched',
};

/** A change that must not be trusted; only `keys-unavailable` says nothing about it. */
export class ChangeNotVerifiedError extends Error {
  /** The name of the class. */
  override readonly name = 'ChangeNotVerifiedError';
  /** Why it must not be trusted; what to branch on. */
  readonly reason: NotVerifiedReason;

  constructor(reason: NotVerifiedReason, options?: ErrorOptions) {
    super(`${messages[reason]}.`, options);
    this.reason = reason;
  }
}
