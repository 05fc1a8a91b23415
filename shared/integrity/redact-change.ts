import { createHash } from 'node:crypto';
import type { Caller, Change, ChangeIntegrity } from '#shared/contract/change.ts';
import { harmlessMembers } from '#shared/contract/resource-fields.ts';
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

type Nested = 'caller' | 'before' | 'after' | 'integrity';
type CallerMember = Caller extends infer Kind ? (Kind extends Caller ? keyof Kind : never) : never;

/** Whether a redacted Change keeps a member of its own. */
const isKept: Readonly<Record<Exclude<keyof Change, Nested>, boolean>> = {
  ...{ id: true, at: true, action: true, appId: true, userId: true, role: true, keyId: true, bulkId: true },
  ...{ requestId: true, sourceIp: false, undoOf: true, reason: false },
};
const isKeptOfCaller: Readonly<Record<CallerMember, boolean>> = {
  ...{ kind: true, appId: true, keyId: true, via: true, issuer: true, id: false, email: false, role: true },
};

const ownMembers = namesKept(isKept);
/** What a redacted Change keeps of the members that have members of their own. */
const innerMembers: Readonly<Record<string, ReadonlySet<string>>> = {
  caller: namesKept(isKeptOfCaller),
  before: harmlessMembers,
  after: harmlessMembers,
};

function namesKept(kept: Readonly<Record<string, boolean>>): ReadonlySet<string> {
  return new Set(Object.keys(kept).filter((name) => kept[name]));
}

/**
 * The Change with only the members that are known to be harmless: without reason, network address, who the operator is, name
 * and e-mail address of the user, and whatever is unknown. Its MAC stays right. Undefined where nothing can be verified: without `integrity`, or with a digest and values or salt
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
  const { kept, dropped } = splitMembers(content, ownMembers);
  for (const [name, harmless] of Object.entries(innerMembers)) {
    const member = content[name];
    if (member === undefined) continue;
    delete dropped[name];
    if (member === null) kept[name] = null;
    else if (typeof member !== 'object') dropped[name] = member;
    else {
      const parts = splitMembers(member as Members, harmless);
      kept[name] = parts.kept;
      if (Object.keys(parts.dropped).length > 0) dropped[name] = parts.dropped;
    }
  }
  return { kept, dropped };
}

function splitMembers(members: Members, harmless: ReadonlySet<string>) {
  const kept: Record<string, unknown> = {};
  const dropped: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) {
    if (harmless.has(name)) kept[name] = value;
    else if (value !== undefined) dropped[name] = value;
  }
  return { kept, dropped };
}

/** Salted, because an address or a name is easily guessed. */
function digestOf(salt: string, personal: Members): string {
  return createHash('sha256').update(canonicalJson({ salt, personal })).digest('base64url');
}
