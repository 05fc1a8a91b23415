import { createHash } from 'node:crypto';
import type { ChangeIntegrity } from '#shared/contract/change.ts';
import { canonicalJson } from './canonical-json.ts';

/** A Change of any age, also one that only a newer version can read, as far as its chain goes. */
export interface ChangeRecord {
  readonly integrity?: ChangeIntegrity | undefined;
  readonly [member: string]: unknown;
}

/** One without what is personal, in place of which its digest stands. */
export interface RedactedChange extends ChangeRecord {
  readonly integrity: Omit<ChangeIntegrity, 'salt'> & { readonly personal: string };
}

/** What of a Change may be personal: of itself, and of its members. */
const personalMembers: Readonly<Record<string, readonly string[]>> = {
  '': ['reason', 'sourceIp'],
  caller: ['id', 'email'],
  before: ['reason', 'displayName', 'email'],
  after: ['reason', 'displayName', 'email'],
};

/**
 * The Change without what is personal: reason, network address, who the operator is, name and e-mail address of the user.
 * Its MAC stays right. Undefined where nothing can be verified: without `integrity`, or with a digest and values or salt
 * beside it, which the digest would not vouch for.
 */
export function redactChange(change: ChangeRecord): RedactedChange | undefined {
  const { integrity, ...content } = change;
  if (integrity === undefined) return undefined;
  const { salt, personal, ...link } = integrity;
  const { kept, dropped } = split(content);
  if (salt === undefined) {
    const isRedacted = personal !== undefined && Object.keys(dropped).length === 0;
    return isRedacted ? { ...kept, integrity: { ...link, personal } } : undefined;
  }
  if (personal !== undefined) return undefined;
  return { ...kept, integrity: { ...link, personal: digestOf(salt, dropped) } };
}

type Members = Readonly<Record<string, unknown>>;

function split(content: Members) {
  const own = splitMembers(content, personalMembers[''] ?? []);
  const kept: Record<string, unknown> = { ...own.kept };
  const dropped: Record<string, unknown> = { ...own.dropped };
  for (const [name, personal] of Object.entries(personalMembers)) {
    const member = content[name];
    if (typeof member !== 'object' || member === null) continue;
    const parts = splitMembers(member as Members, personal);
    kept[name] = parts.kept;
    if (Object.keys(parts.dropped).length > 0) dropped[name] = parts.dropped;
  }
  return { kept, dropped };
}

function splitMembers(members: Members, personal: readonly string[]) {
  const entries = Object.entries(members);
  return {
    kept: Object.fromEntries(entries.filter(([name]) => !personal.includes(name))),
    dropped: Object.fromEntries(entries.filter(([name, value]) => personal.includes(name) && value !== undefined)),
  };
}

/** Salted, because an address or a name is easily guessed. */
function digestOf(salt: string, personal: Members): string {
  return createHash('sha256').update(canonicalJson({ salt, personal })).digest('base64url');
}
