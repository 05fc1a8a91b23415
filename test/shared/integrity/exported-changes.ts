import { createSecretKey } from 'node:crypto';
import type { Change, ChangeAction } from '#shared/contract/change.ts';
import type { ExportedChange } from '#shared/integrity/chain-breaks.ts';
import { type ChainKey, chainChange, type UnchainedChange } from '#shared/integrity/change-mac.ts';
import { deriveChainKey } from '#shared/keys/chain-keys.ts';

/** The key of a root of 32 bytes of 7, as `k1`. */
export const chainKey: ChainKey = { root: 'k1', key: deriveChainKey(createSecretKey(Buffer.alloc(32, 7))) };

/** A Change with all personal fields. */
export const plainChange: UnchainedChange = {
  id: '01KB3ZC4N7Z3QF4V6E5T8S9R2W',
  at: '2026-11-20T19:14:11.123Z',
  action: 'access.changed',
  appId: 'billing',
  userId: 'ada',
  caller: {
    kind: 'operator',
    via: 'token',
    issuer: 'https://login.example.org',
    id: 'sub-1',
    email: 'edith@example.org',
    role: 'support',
  },
  requestId: 'KxYz1iQrDoEEJfA=',
  sourceIp: '192.0.2.7',
  before: { status: 'enabled', explicit: false, until: null, reason: null, version: 3 },
  after: { status: 'disabled', explicit: true, until: null, reason: 'left the team', version: 4 },
  reason: 'left the team',
} as UnchainedChange;

export const salt = 'AAECAwQFBgcICQoLDA0ODw';

/** The same, chained. */
export const chained: Change = chainChange(plainChange, { previous: 'QBf00L3jHlCJ98R8cZF3nA', salt }, chainKey);

/** The properties of one Change of an export. */
export interface ChangeOutline {
  readonly action: ChangeAction;
  readonly userId?: string;
  readonly appId?: string;
  readonly role?: string;
  readonly webhookId?: string;
  /** The version before it; 0 or none starts a chain. Default: that of the previous one of its subject, or 1. */
  readonly version?: number | null;
  /** Starts a chain, regardless of earlier changes. */
  readonly begins?: true;
}

/** Creates an export of these changes, one per second, each chained to the previous one of its subject. */
export function exportOf(history: readonly ChangeOutline[]): (ExportedChange & Change)[] {
  const heads = new Map<string, string>();
  const versions = new Map<string, number>();
  return history.map(({ version: given, begins, ...members }, second) => {
    const { action, userId, appId, role } = members;
    const subject = JSON.stringify(action.startsWith('user.') ? userId : [userId, appId, userId === undefined && role]);
    const version = given === undefined ? (versions.get(subject) ?? 1) : given;
    const before = version === null ? null : { version };
    const after = { ...plainChange.after, version: (version ?? 0) + 1 };
    versions.set(subject, after.version);
    const at = new Date(Date.UTC(2026, 10, 20, 12, 0, second)).toISOString();
    const change = {
      ...plainChange,
      appId,
      userId,
      role,
      ...members,
      before,
      after,
      at,
      id: `01KB3ZC4N7Z3QF4V6E5T8S9${100 + second}`,
    };
    const link = { previous: begins ? null : (heads.get(subject) ?? null), salt };
    const written = chainChange(JSON.parse(JSON.stringify(change)), link, chainKey);
    heads.set(subject, written.integrity.mac);
    return written as ExportedChange & Change;
  });
}
