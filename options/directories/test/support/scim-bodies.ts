import fc from 'fast-check';
import { enterpriseSchema, userSchema } from '../../scim/user-schema.ts';

/** What directories send, damaged: names in any case, with and without schemas, conditions and parts, and attacks. */
const names = [
  'active',
  'active',
  'userName',
  'externalId',
  'displayName',
  'title',
  'nickName',
  'name',
  'emails',
  'addresses',
  'groups',
  'members',
  'roles',
  'entitlements',
  'password',
  'id',
  'meta',
  'schemas',
  'manager',
  'department',
  'favouriteColor',
  '__proto__',
  'constructor',
  'toString',
  'prototype',
  '',
];
const prefixes = ['', '', '', `${userSchema.id}:`, `${enterpriseSchema.id}:`, 'urn:example:2.0:User:', 'urn:'];
const conditions = [
  '',
  '',
  '',
  '[type eq "work"]',
  '[primary eq "True"]',
  '[value eq "x"]',
  '[value eq "ada"]',
  '[type ne "a"]',
  '[type eq "work"',
  '[]',
  '[__proto__ eq "a"]',
  '[value eq "a" or value eq "b"]',
  '[a[b eq "c"].d eq "e"]',
];
const parts = [
  '',
  '',
  '',
  '.value',
  '.type',
  '.givenName',
  '.familyName',
  '.primary',
  '.__proto__',
  '.constructor',
  '.',
];
const changeCase = [(text: string) => text, (text: string) => text.toUpperCase(), (text: string) => text.toLowerCase()];

export const scimPath = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(...[prefixes, names, conditions, parts].map((each) => fc.constantFrom(...each))) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(userSchema.id, enterpriseSchema.id)) },
  { weight: 1, arbitrary: fc.tuple(fc.string({ maxLength: 12 })) },
);
const path = fc.tuple(scimPath, fc.constantFrom(...changeCase)).map(([texts, change]) => change(texts.join('')));

const simple = fc.constantFrom<unknown>(
  true,
  false,
  'True',
  'FALSE',
  'false',
  'maybe',
  null,
  0,
  7,
  '',
  'x',
  'ada',
  'é',
  '\ud800',
  'a\0b',
  [],
  [null],
  {},
  { value: 'x' },
  [{ value: 'x', type: 'work', primary: 'True' }],
  [{ $ref: null, value: 'ada' }],
  [[]],
  { givenName: 'G', GIVENNAME: 'H' },
  { polluted: true },
  JSON.parse('{"__proto__":{"polluted":true}}'),
  'x'.repeat(9000),
  [
    { value: 'a', primary: true },
    { value: 'b', primary: true },
  ],
);
const members = fc.dictionary(path, simple, { maxKeys: 3 });
const value = fc.oneof(
  { weight: 6, arbitrary: simple },
  { weight: 2, arbitrary: members },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  { weight: 1, arbitrary: members.map((each) => ({ [enterpriseSchema.id]: each })) },
);

const operationAt = (at: fc.Arbitrary<string>) =>
  fc.record(
    {
      op: fc.constantFrom('add', 'Add', 'replace', 'Replace', 'REPLACE', 'remove', 'Remove', 'move', 7),
      path: at,
      value,
    },
    { requiredKeys: ['op'] },
  );
const patchOf = (operation: fc.Arbitrary<object>) =>
  fc.array(operation, { minLength: 1, maxLength: 3 }).map((Operations) => ({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations,
  }));

/** The body of a PATCH; mostly one that is well-formed. */
export const patchBody: fc.Arbitrary<object> = fc.oneof(
  { weight: 20, arbitrary: patchOf(operationAt(path)) },
  { weight: 1, arbitrary: fc.record({ Operations: value }, { requiredKeys: [] }) },
);

const memberPath = fc.constantFrom(
  'members',
  'Members',
  'members[value eq "ada"]',
  'members.value',
  'members[value eq "x"]',
);

/** The same of a group, mostly about its members. */
export const groupPatchBody: fc.Arbitrary<object> = fc.oneof(
  { weight: 3, arbitrary: patchOf(operationAt(memberPath)) },
  { weight: 1, arbitrary: patchBody },
);

/** The body of a PUT or POST: attributes of a user beside this name. */
export function userBody(userName: string): fc.Arbitrary<object> {
  return members.map((each) => ({ ...each, userName }));
}

/** One part of a PATCH: a name, and what is said of it. */
export interface Asked {
  readonly op: string;
  /** In lower case. */
  readonly path: string;
  readonly value: unknown;
}

/** What a PATCH asks for, read from its text alone and not as the service reads it. */
export function askedBy(body: object): readonly Asked[] {
  const { Operations = [] } = body as { Operations?: unknown };
  const operations: readonly unknown[] = Array.isArray(Operations) ? Operations : [];
  return operations.flatMap((each) => {
    const { op, path: named, value: said } = Object(each) as Record<string, unknown>;
    const verb = String(op).toLowerCase();
    if (typeof named === 'string') return askedAt(verb, named, said);
    return entriesOf(said).flatMap(([name, member]) => askedAt(verb, name, member));
  });
}

/** A schema as a whole stands for the attributes that its value names; without a value, for all of them. */
function askedAt(op: string, named: string, said: unknown): readonly Asked[] {
  const path = named.toLowerCase();
  const isSchema = [userSchema.id, enterpriseSchema.id].some((id) => id.toLowerCase() === path);
  // An `active` of the enterprise schema, which has none, is not that of the user.
  const within = path === userSchema.id.toLowerCase() ? '' : `${path}:`;
  const inner = isSchema
    ? entriesOf(said).map(([name, member]) => ({ op, path: `${within}${name.toLowerCase()}`, value: member }))
    : [];
  return [{ op, path, value: said }, ...inner];
}

function entriesOf(said: unknown): [string, unknown][] {
  return typeof said === 'object' && said !== null && !Array.isArray(said) ? Object.entries(said) : [];
}

/** Whether a path names an attribute, or a part of it. */
export function isAbout(path: string, attribute: string): boolean {
  const [head = ''] = path.split('[');
  return head.split(/[:.]/).includes(attribute.toLowerCase());
}
