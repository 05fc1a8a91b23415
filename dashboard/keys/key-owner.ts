import type { ComponentType } from 'react';
import type { IssuedKeyView } from '#shared/contract/api-key.ts';
import type { BodyInput } from '#shared/contract/operation.ts';
import type { ManageOperations } from '#shared/contract/operations.ts';
import type { WriteName } from '../api/create-api.ts';
import type { Writer } from '../api/create-writer.ts';

/** What has keys: an application, or a resource of an option. */
export interface KeyOwner {
  /** The application, for the permissions of operators; undefined for any other owner. */
  readonly appId: string | undefined;
  readonly words: KeyWords;
  /** What its keys can be allowed to do. */
  readonly scopes: readonly KeyScope[];
  /** The operations behind the buttons. */
  readonly operations: Readonly<Record<keyof KeyWrites, WriteName>>;
  /** Sends them. */
  readonly writesWith: (write: Writer) => KeyWrites;
  /** Tries a key that was just issued. Default: nothing does. */
  readonly Trial?: ComponentType<{ readonly issued: IssuedKeyView<string> }>;
}

/** How its keys are called. */
export interface KeyWords {
  /** `application`. */
  readonly owner: string;
  /** `API key`, in titles. */
  readonly key: string;
  /** `key`, on buttons. */
  readonly short: string;
  /** `secret`. */
  readonly secret: 'secret' | 'token';
  /** Where the secret belongs. */
  readonly storeHint: string;
  /** How requests use a key: `signed with`. */
  readonly usedAs: string;
}

/** A scope in the dialog that issues a key. */
export interface KeyScope {
  readonly name: string;
  readonly description: string | undefined;
  /** Whether it is chosen at first. */
  readonly isUsual: boolean;
}

type Body<Name extends keyof ManageOperations> = NonNullable<BodyInput<ManageOperations[Name]>>;

/** What is said about a new key. */
export interface NewKey extends Omit<Body<'issue-key'>, 'scopes'> {
  readonly scopes: readonly string[];
}

/** What is done with the keys of an owner. */
export interface KeyWrites {
  readonly issue: (body: NewKey) => Promise<IssuedKeyView<string>>;
  readonly label: (keyId: string, body: Body<'update-key'>) => Promise<void>;
  readonly rotate: (keyId: string, body: Body<'rotate-key'>) => Promise<IssuedKeyView<string>>;
  readonly revoke: (keyId: string) => Promise<void>;
}
