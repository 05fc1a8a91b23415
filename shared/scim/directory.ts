import type { UserId } from '#shared/contract/fields.ts';

/** A value of JSON. */
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

export interface DirectoryUser extends DirectoryUserState {
  /** The SCIM id; it is the `userId`. */
  readonly id: UserId;
  readonly groups: readonly { readonly id: string; readonly displayName: string }[];
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Equal-conditions joined by `and`; userName without regard to case, all others exact. */
export interface UserConditions {
  readonly userName?: string;
  readonly externalId?: string;
  readonly email?: string;
  readonly id?: string;
}

export interface GroupConditions {
  readonly displayName?: string;
  readonly externalId?: string;
  readonly id?: string;
  /** `members.value` */
  readonly member?: string;
}

export interface IndexPage {
  readonly startIndex: number;
  readonly count: number;
}

export interface DirectoryGroup {
  readonly id: string;
  readonly displayName: string;
  readonly externalId: string | null;
  /** Undefined if excluded. */
  readonly members: readonly UserId[] | undefined;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Only what is named changes, so a change of one member of a large group does not read the others. */
export interface GroupChange {
  readonly displayName?: string;
  readonly externalId?: string | null;
  readonly members?:
    | { readonly add: readonly UserId[]; readonly remove: readonly UserId[] }
    | { readonly set: readonly UserId[] };
}
