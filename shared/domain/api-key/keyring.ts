import type { Changed } from '#shared/contract/answers.ts';
import { defaultKeyLifetimeDays, type IssuedKeyView, type KeyView } from '#shared/contract/api-key.ts';
import { keyFields } from '#shared/contract/api-key-fields.ts';
import type { ChangeAction, RecordedState } from '#shared/contract/change.ts';
import { equalFields, type FieldChanges, mergeFields, pickFields } from '#shared/contract/field-forms.ts';
import type { KeyId } from '#shared/contract/fields.ts';
import type { ConnectionKind } from '#shared/contract/operation.ts';
import type { RootPurpose } from '#shared/contract/root-purposes.ts';
import { now } from '#shared/core/clock.ts';
import { invalidField } from '#shared/core/errors.ts';
import { createUlid } from '#shared/core/ids.ts';
import { latestRootVersion, rootKey } from '#shared/keys/root-keys.ts';
import { type KeyState, readKeyUses } from '#shared/table/items/key-state.ts';
import type { KeyOwner } from '#shared/table/keys/api-key-item-keys.ts';
import type { RequestContext } from '../request/request-context.ts';
import { validateExpiry } from '../request/validate-expiry.ts';
import { issuedLifecycle, type KeyStates, rotateState, successorOf } from './key-lifecycle.ts';
import { keyView, requireKey, requireKeyLimit, withoutLongEndedKeys } from './owned-keys.ts';

/** What differs between the keys of an application and those of a connection. */
export interface KeyringParts<Scopes extends string> {
  readonly owner: KeyOwner;
  /** The roots from which the secrets are derived. */
  readonly roots: RootPurpose;
  readonly formatId: (id: { readonly rootVersion: string; readonly ulid: string }) => KeyId;
  /** Derives the secret of a key from its root: one that signs requests, or a bearer token. */
  readonly deriveSecret: (root: RootKey, keyId: KeyId) => string;
  /** The scopes of a new key. Default: those that were asked for. Throws what its owner cannot have. */
  readonly grantScopes?: (owner: KeyringOwner<Scopes>, asked: readonly Scopes[] | undefined) => readonly Scopes[];
  /** The one way to change the keys; the result of `answerOf` must not hold a secret. */
  readonly change: <Answer>(context: RequestContext, rule: KeyringRule<Scopes, Answer>) => Promise<Answer>;
}
type RootKey = NonNullable<Awaited<ReturnType<typeof rootKey>>>;
type Keys<Scopes extends string> = KeyStates<KeyState<Scopes>>;

/** What a rule needs of the owner of the keys. */
export interface KeyringOwner<Scopes extends string> {
  readonly keys: Keys<Scopes>;
  /** Only a connection has one. */
  readonly kind?: ConnectionKind;
}

/** The change of the keys that a rule has decided on, as the owner's change needs it. */
export interface KeyringChange<Scopes extends string> {
  readonly action: ChangeAction;
  readonly keyId: string;
  readonly next: { readonly keys: Keys<Scopes> };
  readonly before: RecordedState;
  readonly after: RecordedState;
}

export interface KeyringRule<Scopes extends string, Answer> {
  /** The change to write; undefined when nothing changes. Throws refusals. */
  readonly decide: (owner: KeyringOwner<Scopes>, at: Date) => KeyringChange<Scopes> | undefined;
  readonly answerOf: (keys: Keys<Scopes>, changed: boolean) => Answer;
}

export interface NewKey<Scopes extends string> extends FieldChanges<typeof keyFields> {
  /** Default: all that its owner can have. */
  readonly scopes?: readonly Scopes[] | undefined;
  /** Default: in 90 days. `null` for never. */
  readonly expiresAt?: string | null | undefined;
}

export interface KeyRotation {
  readonly keyId: string;
  readonly overlapSeconds: number;
  /** When the new key expires. Default: after the lifetime with which the old key was issued. */
  readonly expiresAt?: string | null | undefined;
  /** A root version from which the new key must not be derived. Default: none. */
  readonly avoidRoot?: string | undefined;
}

/** The keys of an application or a connection, and everything that operators do with them. */
export class Keyring<Scopes extends string> {
  readonly #parts: KeyringParts<Scopes>;

  constructor(parts: KeyringParts<Scopes>) {
    this.#parts = parts;
  }

  /** Issues a key; only this answer contains its secret. 409 if there are already ten active keys. */
  async issue(request: NewKey<Scopes>, context: RequestContext): Promise<IssuedKeyView<Scopes>> {
    const { grantScopes = (_, given = []) => given } = this.#parts;
    const fields = pickFields(keyFields, request);
    const { keyId, createdAt } = this.#createId();
    const { scopes: asked, expiresAt = usualExpiry(createdAt) } = request;
    const issued = await this.#parts.change(context, {
      decide: (owner, at) => {
        validateExpiry('expiresAt', expiresAt);
        const scopes = grantScopes(owner, asked);
        const state = { scopes, ...fields, ...issuedLifecycle({ createdAt, expiresAt }, context) };
        const keys = { ...withoutLongEndedKeys(owner.keys, at), [keyId]: state };
        requireKeyLimit(keys, at);
        const after = { scopes: scopes.join(' '), expiresAt, ...fields };
        return { action: 'key.issued', keyId, next: { keys }, before: {}, after };
      },
      answerOf: (keys) => keyView(keyId, requireKey(keys, keyId), { replacedBy: null }),
    });
    return this.#withSecret(issued, context);
  }

  /** Replaces a key: issues one with the same scopes, label and lifetime; the old key expires after the overlap at the latest. */
  async rotate(rotation: KeyRotation, context: RequestContext): Promise<IssuedKeyView<Scopes>> {
    const { keyId: oldKeyId, overlapSeconds, expiresAt, avoidRoot } = rotation;
    const { keyId, createdAt } = this.#createId();
    const rotated = await this.#parts.change(context, {
      decide: (owner, at) => {
        validateExpiry('expiresAt', expiresAt ?? null);
        if (avoidRoot === latestRootVersion(this.#parts.roots)) {
          throw invalidField('avoidRoot', 'is still the latest root version. Release a new one first');
        }
        const current = requireKey(owner.keys, oldKeyId);
        const { old, next } = rotateState(current, { oldKeyId, createdAt, overlapSeconds, expiresAt }, context, at);
        const keys = { ...withoutLongEndedKeys(owner.keys, at), [oldKeyId]: old, [keyId]: next };
        requireKeyLimit(keys, at);
        return {
          action: 'key.rotated',
          keyId,
          next: { keys },
          before: { keyId: oldKeyId, expiresAt: current.expiresAt },
          after: { keyId: oldKeyId, expiresAt: old.expiresAt, newExpiresAt: next.expiresAt },
        };
      },
      answerOf: (keys) => keyView(keyId, requireKey(keys, keyId), { replacedBy: null }),
    });
    return this.#withSecret(rotated, context);
  }

  /** Changes the fields of a key, which does not affect its permissions; undefined keeps a value, `null` clears it. */
  async update(
    command: { readonly keyId: string } & FieldChanges<typeof keyFields>,
    context: RequestContext,
  ): Promise<Changed<KeyView<Scopes>>> {
    return this.#changeKey(command.keyId, context, (key) => {
      const before = pickFields(keyFields, key);
      const after = mergeFields(keyFields, before, command);
      if (equalFields(keyFields, before, after)) return undefined;
      return { action: 'key.updated', next: { ...key, ...after }, before, after };
    });
  }

  /** Revokes a key with immediate effect, because every request reads its state. A revoked key does not change. */
  async revoke(keyId: string, context: RequestContext): Promise<Changed<KeyView<Scopes>>> {
    return this.#changeKey(keyId, context, (key, at) => {
      if (key.revokedAt !== null) return undefined;
      const revokedAt = at.toISOString();
      return { action: 'key.revoked', next: { ...key, revokedAt }, before: { revokedAt: null }, after: { revokedAt } };
    });
  }

  /** An id of the latest root version; the key is not valid until it is stored with its owner. */
  #createId(): { readonly keyId: KeyId; readonly createdAt: string } {
    const at = now();
    const { formatId, roots } = this.#parts;
    const keyId = formatId({ rootVersion: latestRootVersion(roots), ulid: createUlid(at) });
    return { keyId, createdAt: at.toISOString() };
  }

  /**
   * Adds the secret, which is derived from the id, so every attempt of the same call returns the same secret. A dry run issues
   * no key and returns an empty secret.
   */
  async #withSecret(key: KeyView<Scopes>, { dryRun = false }: RequestContext): Promise<IssuedKeyView<Scopes>> {
    if (dryRun) return { ...key, secret: '' };
    const [, rootVersion = ''] = key.keyId.split('_');
    const root = await rootKey(rootVersion);
    if (root === undefined) throw new Error('ROOT_KEYS does not list the root version of an issued key');
    return { ...key, secret: this.#parts.deriveSecret(root, key.keyId as KeyId) };
  }

  /** Changes one key; `decide` returns undefined if nothing changes. */
  async #changeKey(
    keyId: string,
    context: RequestContext,
    decide: (key: KeyState<Scopes>, at: Date) => KeyChange<Scopes> | undefined,
  ): Promise<Changed<KeyView<Scopes>>> {
    const { owner, change } = this.#parts;
    const { state, replacedBy, changed } = await change(context, {
      decide: ({ keys }, at) => {
        const decided = decide(requireKey(keys, keyId), at);
        if (decided === undefined) return undefined;
        return { ...decided, keyId, next: { keys: { ...withoutLongEndedKeys(keys, at), [keyId]: decided.next } } };
      },
      answerOf: (keys, changed) => ({
        state: requireKey(keys, keyId),
        replacedBy: successorOf(keys, keyId),
        changed,
      }),
    });
    const [lastUsedOn] = await readKeyUses([{ ...owner, keyId }]);
    return { ...keyView(keyId, state, { lastUsedOn, replacedBy }), changed };
  }
}

interface KeyChange<Scopes extends string> extends Pick<KeyringChange<Scopes>, 'action' | 'before' | 'after'> {
  readonly next: KeyState<Scopes>;
}

function usualExpiry(createdAt: string): string {
  return new Date(Date.parse(createdAt) + defaultKeyLifetimeDays * 86_400_000).toISOString();
}
