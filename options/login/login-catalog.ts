import { loginDocuments } from './contract/login-documents.ts';
import { loginTypes } from './contract/login-types.ts';
import { loginItems } from './table/login-items.ts';

/** The documents of the operations for logins, what they add to the types of the SDK, what is kept of the provider, and how the smoke test tries them. */
export const loginCatalog = {
  documents: loginDocuments,
  types: loginTypes,
  items: loginItems,
  probes: async () => (await import('./login-probes.ts')).loginProbes,
} as const;
