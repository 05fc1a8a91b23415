import { type Expiry, noExpiry } from '../forms/chosen-expiry.ts';
import { ExpiryField } from '../forms/expiry-field.tsx';

/** The end of a new key, unless another is chosen: in 90 days. */
export const keyExpiry: Expiry = { ...noExpiry, choice: 'quarter' };

const choices = ['month', 'quarter', 'year', 'at', 'never'] as const;

export interface KeyExpiryFieldProps {
  readonly expiry: Expiry;
  readonly onChange: (expiry: Expiry) => void;
}

/** Asks when a new key expires. */
export function KeyExpiryField({ expiry, onChange }: KeyExpiryFieldProps) {
  return (
    <ExpiryField
      label="Expires"
      expiry={expiry}
      choices={choices}
      neverHint="The key stays valid until someone revokes it, even if it leaks unnoticed."
      pointer="#/expiresAt"
      onChange={onChange}
    />
  );
}
