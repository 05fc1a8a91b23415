import type { ImportedKey } from './client-key.ts';
import type { Send } from './create-send.ts';

/** By what this package's other entries reach into a client, also one of another copy of the package. */
export const internals: unique symbol = Symbol.for('auth-service/internals') as never;

/** What they need of it. Not part of what applications may use. */
export interface ClientInternals {
  /** The service, without a slash at the end. */
  readonly origin: string;
  readonly send: Send;
  /** The key of the next call. */
  readonly readKey: () => ImportedKey | Promise<ImportedKey>;
}
