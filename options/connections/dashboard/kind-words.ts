import type { ConnectionKind } from '#shared/contract/operation.ts';

/** The name of each kind of connections, and what it is for. */
export const kindWords: Readonly<Record<ConnectionKind, { readonly name: string; readonly purpose: string }>> = {
  evaluate: { name: 'Gateway', purpose: 'Asks who has access to applications, and which roles users hold.' },
  scim: {
    name: 'Directory',
    purpose: 'Such as Okta or Entra ID: creates and deactivates users, and its groups assign roles (SCIM 2.0).',
  },
};
