import { createHash } from 'node:crypto';
import type { Caller, Change, ChangeIntegrity } from '#shared/contract/change.ts';
import { harmlessMembers } from '#shared/contract/personal-fields.ts';
import { canonicalJson } from './canonical-json.ts';

/** The members of a Change that its chain requires, also of one that only a newer version can parse. */
export interface ChangeRecord {
  readonly integrity?: ChangeIntegrity | undefined;
  readonly [member: string]: unknown;
}

/** A Change in which a digest replaces the personal data. */
export interface RedactedChange extends ChangeRecord {
  readonly integrity: Omit<ChangeIntegrity, 'salt'> & { readonly personal: string };
}

type Nested = 'caller' | 'before' | 'after' | 'integrity';
type CallerMember = Caller extends infer Kind ? (Kind extends Caller ? keyof Kind : never) : never;

/** Whether a redacted Change keeps each of its members. */
const isKept: Readonly<Record<Exclude<keyof Change, Nested>, boolean>> = {
  id: true,
  at: true,
  action: true,
  appId: true,
  connectionId: true,
  userId: true,
  role: true,
  keyId: true,
  webhookId: true,
  bulkId: true,
  requestId: true,
  sourceIp: false,
  undoOf: true,
  reason: false,
  ticket: false,
};
const isKeptOfCaller: Readonly<Record<CallerMember, boolean>> = {
  kind: true,
  appId: true,
  connectionId: true,
  keyId: true,
  via: true,
  issuer: true,
  id: false,
  email: false,
  role: true,
};

const ownMembers = namesKept(isKept);
/** The nested members that a redacted Change keeps. */
const innerMembers: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['caller', namesKept(isKeptOfCaller)],
  ['before', harmlessMembers],
  ['after', harmlessMembers],
]);

function namesKept(kept: Readonly<Record<string, boolean>>): ReadonlySet<string> {
  return new Set(Object.keys(kept).filter((name) => kept[name]));
}

/**
 * Keeps only members that are known to be harmless: removes the reason, the ticket, the network address, the operator's identity, the
 * user's name and e-mail address, and all unknown members. The MAC stays valid. Undefined if nothing can be verified: without
 * `integrity`, or with both a digest and personal data or a salt, because the digest would not cover them.
 */
export function redactChange(change: ChangeRecord): RedactedChange | undefined {
  const { integrity, ...content } = change;
  if (integrity === undefined) return undefined;
  const { salt, personal, ...link } = integrity;
  const { kept, dropped } = split(content, ownMembers, innerMembers);
  if (salt === undefined) {
    const isRedacted = personal !== undefined && Object.keys(dropped).length === 0;
    return isRedacted ? { ...kept, integrity: { ...link, personal } } : undefined;
  }
  if (personal !== undefined) return undefined;
  return { ...kept, integrity: { ...link, personal: digestOf(salt, dropped) } };
}

type Members = Readonly<Record<string, unknown>>;

/** Separates harmless members from the others; a member that is harmless in part is in both results. */
function split(members: Members, harmless: ReadonlySet<string>, partly?: typeof innerMembers) {
  const kept: Record<string, unknown> = {};
  const dropped: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) {
    const inner = partly?.get(name);
    if (harmless.has(name) || (inner !== undefined && value === null)) kept[name] = value;
    else if (inner !== undefined && typeof value === 'object') {
      const parts = split(value as Members, inner);
      kept[name] = parts.kept;
      if (Object.keys(parts.dropped).length > 0) dropped[name] = parts.dropped;
    } else if (value !== undefined) dropped[name] = value;
  }
  return { kept, dropped };
}

/** Salted, because an address or a name is easy to guess. */
function digestOf(salt: string, personal: Members): string {
  return createHash('sha256').update(canonicalJson({ salt, personal })).digest('base64url');
}
