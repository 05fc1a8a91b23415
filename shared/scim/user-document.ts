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

const maxTextLength = 256;
const maxAttributeBytes = 8 * 1024;
const identifying: readonly Attribute[] = [userNameAttribute, externalIdAttribute, activeAttribute];

export function documentOf({ userName, externalId, active, attributes }: DirectoryUserState): UserDocument {
  const document: UserDocument = new Map([
    ...attributesIn(userSchema.attributes, attributes),
    ...attributesIn(enterpriseSchema.attributes, attributes[enterpriseSchema.id]),
  ]);
  document.set(userNameAttribute, userName).set(activeAttribute, active);
  return externalId === null ? document : document.set(externalIdAttribute, externalId);
}

function attributesIn(declared: readonly Attribute[], stored: JsonValue | undefined): [Attribute, JsonValue][] {
  if (!isObject(stored)) return [];
  return declared.flatMap((attribute) => {
    const value = Object.hasOwn(stored, attribute.name) ? stored[attribute.name] : undefined;
    return value === undefined ? [] : [[attribute, value]];
  });
}

/** The state of a document; 400 `invalidValue` if it is not the whole of a user, or too large. */
export function stateOf(document: UserDocument): DirectoryUserState {
  const userName = document.get(userNameAttribute);
  const externalId = document.get(externalIdAttribute) ?? null;
  const attributes = { ...membersOf(document, userSchema.attributes), ...enterpriseOf(document) };
  if (Buffer.byteLength(JSON.stringify(attributes)) > maxAttributeBytes) {
    throw invalidValue('The user', `must have at most ${maxAttributeBytes} bytes of attributes`);
  }
  return {
    userName: requireText('userName', userName),
    externalId: externalId === null ? null : requireText('externalId', externalId),
    active: document.get(activeAttribute) !== false,
    attributes,
  };
}

function requireText(name: string, value: JsonValue | undefined): string {
  if (value === undefined) throw invalidValue(name, 'is required');
  if (typeof value === 'string' && value.trim() !== '' && value.length <= maxTextLength) return value;
  throw invalidValue(name, `must be text of 1 to ${maxTextLength} characters`);
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
