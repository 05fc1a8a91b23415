import type { UserId } from '#shared/contract/fields.ts';

/** A value of JSON (RFC 8259). */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

/** What a directory says of a user: all else that it sent of the declared attributes is in `attributes`. */
export interface DirectoryUserState {
  readonly userName: string;
  readonly externalId: string | null;
  readonly active: boolean;
  /** The other declared attributes in canonical names: name, displayName, emails, title, ... ; at most 8 KB as JSON. */
  readonly attributes: JsonObject;
}

/** A group of a user. */
export interface GroupReference {
  readonly id: string;
  readonly displayName: string;
}

/** A user of a directory, as stored. */
export interface DirectoryUser extends DirectoryUserState {
  /** The SCIM id; it is the `userId`. */
  readonly id: UserId;
  readonly groups: readonly GroupReference[];
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Conditions joined by `and`, each of equality; `userName` and `email` without regard to case, the others exact. */
export interface UserConditions {
  readonly userName?: string | undefined;
  readonly externalId?: string | undefined;
  /** One of the e-mail addresses. */
  readonly email?: string | undefined;
  readonly id?: string | undefined;
}

/** The same of groups. */
export interface GroupConditions {
  readonly displayName?: string | undefined;
  readonly externalId?: string | undefined;
  readonly id?: string | undefined;
  /** The id of a member. */
  readonly member?: string | undefined;
}

/** A page by the number of its first result, from 1 (RFC 7644 section 3.4.2.4). */
export interface IndexPage {
  readonly startIndex: number;
  readonly count: number;
}

/** The results of a page: a smaller number is the first, and a negative count none. */
export function pageOf<Result>(all: readonly Result[], { startIndex, count }: IndexPage): Result[] {
  const first = Math.max(startIndex, 1) - 1;
  return all.slice(first, first + Math.max(count, 0));
}

/** A group of a directory. */
export interface DirectoryGroup {
  readonly id: string;
  readonly displayName: string;
  readonly externalId: string | null;
  /** Undefined if they were not asked for. */
  readonly members: readonly UserId[] | undefined;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Only what is named changes, so a change of one member of a large group does not read the others. */
export interface GroupChange {
  readonly displayName?: string | undefined;
  readonly externalId?: string | null | undefined;
  readonly members?:
    | { readonly add: readonly UserId[]; readonly remove: readonly UserId[] }
    | { readonly set: readonly UserId[] }
    | undefined;
}
