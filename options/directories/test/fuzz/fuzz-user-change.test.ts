import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ServiceError } from '#shared/core/errors.ts';
import type { DirectoryUserState, JsonObject } from '../../scim/directory.ts';
import { readFilter } from '../../scim/filter.ts';
import { readGroupPatch } from '../../scim/group-change.ts';
import { readReplacement, readUserPatch } from '../../scim/user-change.ts';
import { enterpriseSchema, userSchema } from '../../scim/user-schema.ts';
import { askedBy, groupPatchBody, isAbout, patchBody, userBody } from '../support/scim-bodies.ts';

const ada: DirectoryUserState = {
  userName: 'ada',
  externalId: 'e1',
  active: true,
  attributes: {
    name: { givenName: 'Ada' },
    displayName: 'Ada',
    nickName: 'A',
    emails: [{ value: 'x', type: 'work', primary: true }],
    [enterpriseSchema.id]: { department: 'X', manager: { value: 'm' } },
  },
};
/** `npm run fuzz:scim-rules` tries 100,000. */
const numRuns = Number(process.env.SCIM_BODIES ?? 2000);
const frozen = JSON.stringify(ada);
const declared = new Set([...userSchema.attributes.map(({ name }) => name), enterpriseSchema.id]);

/** Undefined if it is refused as a bad request; any other error fails the test. */
function outcome<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'invalid_request') return undefined;
    throw error;
  }
}

/** All attributes in one object, those of the extension beside the others. */
function flat({ attributes, ...others }: DirectoryUserState): JsonObject {
  const { [enterpriseSchema.id]: enterprise = {}, ...core } = attributes;
  return { ...others, ...core, ...(enterprise as JsonObject) };
}

function requireHarmless(next: DirectoryUserState): void {
  expect(Object.keys(next.attributes).filter((name) => !declared.has(name))).toEqual([]);
  expect([typeof next.userName, typeof next.active]).toEqual(['string', 'boolean']);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect(JSON.stringify(next)).not.toContain('polluted');
  expect(JSON.stringify(ada)).toBe(frozen);
}

test('a PATCH changes only what it names, or is refused', () => {
  fc.assert(
    fc.property(patchBody, (body) => {
      const next = outcome(() => readUserPatch(body)(ada));
      if (next === undefined) return;
      requireHarmless(next);
      const asked = askedBy(body);
      const [before, after] = [flat(ada), flat(next)];
      const isExtension = asked.some(({ path }) => path === enterpriseSchema.id.toLowerCase());
      for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
        const isAsked = asked.some(({ path }) => isAbout(path, name));
        const isOfExtension = enterpriseSchema.attributes.some((attribute) => attribute.name === name);
        if (!isAsked && !(isExtension && isOfExtension)) expect([name, after[name]]).toEqual([name, before[name]]);
      }
    }),
    { numRuns },
  );
});

test('a user becomes inactive exactly if the last operation that names it says so', () => {
  fc.assert(
    fc.property(patchBody, fc.boolean(), (body, active) => {
      const next = outcome(() => readUserPatch(body)({ ...ada, active }));
      if (next === undefined) return;
      const paths = ['active', `${userSchema.id.toLowerCase()}:active`];
      const last = askedBy(body).findLast(({ path }) => paths.includes(path));
      const said = last && String(last.value).toLowerCase() === 'true';
      expect(next.active).toBe(said ?? active);
    }),
    { numRuns },
  );
});

test('a PUT without active keeps it, and keeps the externalId', () => {
  fc.assert(
    fc.property(userBody('ada'), fc.boolean(), (body, active) => {
      const next = outcome(() => readReplacement(body)({ ...ada, active }));
      if (next === undefined) return;
      requireHarmless(next);
      const keys = Object.keys(body).map((key) => key.toLowerCase());
      if (!keys.some((key) => isAbout(key, 'active') || key === userSchema.id.toLowerCase()))
        expect(next.active).toBe(active);
      if (!keys.some((key) => isAbout(key, 'externalId') || key === userSchema.id.toLowerCase()))
        expect(next.externalId).toBe('e1');
      expect(next.userName).toBe('ada');
    }),
    { numRuns },
  );
});

test('a PATCH of a group removes only members that it names, unless it replaces or removes all', () => {
  fc.assert(
    fc.property(groupPatchBody, (body) => {
      const change = outcome(() => readGroupPatch(body));
      if (change?.members === undefined) return;
      const aboutMembers = askedBy(body).filter(({ path }) => isAbout(path, 'members'));
      const isWhole = aboutMembers.some(
        ({ op, path, value }) => op === 'replace' || (op === 'remove' && value === undefined && !path.includes('[')),
      );
      if ('set' in change.members) expect(isWhole).toBe(true);
      const ids = 'set' in change.members ? change.members.set : [...change.members.add, ...change.members.remove];
      const text = JSON.stringify(body);
      for (const id of ids) expect(text.toLowerCase()).toContain(id.toLowerCase());
    }),
    { numRuns },
  );
});

test('a filter is parsed or refused, whatever it is', () => {
  const piece = fc.constantFrom(
    'userName',
    ' eq ',
    '"a"',
    ' and ',
    '[',
    ']',
    '(',
    ')',
    '"',
    '\\',
    '\n',
    'true',
    '.value',
    ' or ',
    '1',
  );
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: piece, maxLength: 40 })), (text) => {
      outcome(() => readFilter(text));
    }),
    { numRuns },
  );
});
