import { createSecretKey } from 'node:crypto';
import { root } from './bench-environment.ts';

/** When the items of the bench were written. */
export const writtenAt = '2026-11-20T12:00:00.000Z';

/** The MAC of the last Change of each. */
export const chainHead = 'XE1FDC9M2rB8Qr6j_0l0eQ';

/** The root of all keys. */
export const rootKey = createSecretKey(root);

/** Who issued keys, and that they do not end. */
export const keyState = {
  label: null,
  createdAt: writtenAt,
  issuedBy: { via: 'iam', id: 'test', email: null },
  expiresAt: null,
  lifetimeSeconds: null,
  revokedAt: null,
} as const;
