import type { Attribute } from './attribute.ts';
import { invalidValue, isObject } from './attribute.ts';
import type { DirectoryUserState, JsonObject, JsonValue } from './directory.ts';
import {
  activeAttribute,
  enterpriseSchema,
  externalIdAttribute,
  userNameAttribute,
  userSchema,
} from './user-schema.ts';

/** A user while its attributes change. Its keys are declarations, so no name that a caller chooses is ever a key. */
export type UserDocument = Map<Attribute, JsonValue>;

/** The schemas of a user, with the attribute that all resources have. */
export const userSchemas = [
  { ...userSchema, attributes: [...userSchema.attributes, externalIdAttribute] },
  enterpriseSchema,
];

const identifying: readonly Attribute[] = [userNameAttribute, externalIdAttribute, activeAttribute];

export function documentOf({ userName, externalId, active, attributes }: DirectoryUserState): UserDocument {
  const document: UserDocument = new Map([
    ...attributesIn(userSchema.attributes, attributes),
    ...attributesIn(enterpriseSchema.attributes, attributes[enterpriseSchema.id]),
  ]);
  return document.set(userNameAttribute, userName).set(activeAttribute, active).set(externalIdAttribute, externalId);
}

function attributesIn(declared: readonly Attribute[], stored: JsonValue | undefined): [Attribute, JsonValue][] {
  if (!isObject(stored)) return [];
  return declared.flatMap((attribute) => {
    const value = Object.hasOwn(stored, attribute.name) ? stored[attribute.name] : undefined;
    return value === undefined ? [] : [[attribute, value]];
  });
}

/** The state of a document; 400 `invalidValue` without a `userName`. The domain limits its size. */
export function stateOf(document: UserDocument): DirectoryUserState {
  const userName = document.get(userNameAttribute);
  const externalId = document.get(externalIdAttribute);
  if (typeof userName !== 'string' || userName.trim() === '') throw invalidValue('userName', 'is required');
  return {
    userName,
    externalId: typeof externalId === 'string' ? externalId : null,
    active: document.get(activeAttribute) !== false,
    attributes: { ...membersOf(document, userSchema.attributes), ...enterpriseOf(document) },
  };
}

function enterpriseOf(document: UserDocument): JsonObject {
  const members = membersOf(document, enterpriseSchema.attributes);
  return Object.keys(members).length === 0 ? {} : { [enterpriseSchema.id]: members };
}

/** In the order of the declarations, so that equal users are equal as JSON. */
function membersOf(document: UserDocument, declared: readonly Attribute[]): JsonObject {
  const members = declared.flatMap((attribute): [string, JsonValue][] => {
    const value = document.get(attribute);
    return value === undefined || identifying.includes(attribute) ? [] : [[attribute.name, value]];
  });
  return Object.fromEntries(members);
}
