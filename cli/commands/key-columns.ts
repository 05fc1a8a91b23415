import { Argument, Option } from 'commander';
import type { KeyView } from '#shared/contract/api-key.ts';
import { keyFields } from '#shared/contract/api-key-fields.ts';
import { endsSoonDays, endsUrgentlyDays, endsWithin, isUnusedFor, unusedDays } from '#shared/contract/key-attention.ts';
import { parserOf } from '../terminal/arguments.ts';
import { formatExpiry, formatTime } from '../terminal/format-time.ts';
import type { Column } from '../terminal/print-table.ts';

/** The columns of keys, of applications and of connections. */
export const keyColumns: readonly Column<KeyView<string>>[] = [
  { title: 'KEY', cell: ({ keyId }) => keyId },
  { title: 'LABEL', isText: true, rank: 2, cell: ({ label }) => label ?? '-' },
  { title: 'STATE', rank: 1, cell: stateOf, tone: (key) => (stateOf(key) === 'active' ? undefined : 'dim') },
  { title: 'SCOPES', isText: true, rank: 6, cell: ({ scopes }) => scopes.join(' ') },
  { title: 'EXPIRES', isText: true, rank: 1, cell: ({ expiresAt }) => formatExpiry(expiresAt), tone: urgencyOf },
  { title: 'LAST USED', cell: lastUseOf, tone: (key) => (isIdle(key) ? 'yellow' : undefined) },
  { title: 'ISSUED BY', isText: true, cell: ({ issuedBy }) => issuedBy?.email ?? issuedBy?.id ?? '-' },
  { title: 'CREATED', cell: ({ createdAt }) => formatTime(createdAt) },
  { title: 'REPLACES', cell: ({ replaces }) => replaces ?? '-' },
  { title: 'REPLACED BY', cell: ({ replacedBy }) => replacedBy ?? '-' },
];

export function keyLabelOption(): Option {
  return new Option('--label <text>', 'label of the key, at most 60 characters').argParser(
    parserOf(keyFields.label.input),
  );
}

/** A new label; an empty one removes it. */
export function labelArgument(): Argument {
  const parse = parserOf(keyFields.label.input);
  return new Argument('<label>', 'label, at most 60 characters').argParser((text) => text && parse(text));
}

export function labelOutcome({ keyId, changed }: { readonly keyId: string; readonly changed: boolean }): string {
  return changed ? `Labelled the key ${keyId}.` : `The key ${keyId} already had this label.`;
}

function stateOf({ revokedAt, expiresAt }: AnyKey): string {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'active';
}

const daySeconds = 86_400;

/** Red within a week, amber within a month. */
function urgencyOf(key: AnyKey): 'red' | 'yellow' | undefined {
  const at = new Date();
  if (endsWithin(key, endsUrgentlyDays * daySeconds, at)) return 'red';
  return endsWithin(key, endsSoonDays * daySeconds, at) ? 'yellow' : undefined;
}

function isIdle(key: AnyKey): boolean {
  return stateOf(key) === 'active' && isUnusedFor(key, unusedDays * daySeconds, new Date());
}

function lastUseOf(key: AnyKey): string {
  return `${key.lastUsedOn ?? 'never'}${isIdle(key) ? ` (unused for ${unusedDays} days)` : ''}`;
}

type AnyKey = KeyView<string>;
