import { deepStrictEqual } from 'node:assert';
import fc from 'fast-check';
import { askedBy, groupPatchBody, isAbout, patchBody, userBody } from './scim-bodies.ts';
import type { ScimInMemory } from './scim-in-memory.ts';

/** A directory that sends damaged bodies. Without `takeWritten`, what a refused one did is found out by reading. */
type Directory = Pick<ScimInMemory, 'ask'> & Partial<ScimInMemory>;

type Resource = Readonly<Record<string, unknown>>;

const target = '/Users/target';
const members = ['ada', 'grace', 'alan'];

/** A method with the body of a change of the user `target`. */
export const userChange = fc.oneof(
  { weight: 4, arbitrary: patchBody.map((body) => ['PATCH', body] as const) },
  { weight: 1, arbitrary: userBody('target').map((body) => ['PUT', body] as const) },
);

/** The body of a PATCH of the group. */
export const groupChange: typeof groupPatchBody = groupPatchBody;

/** Creates the user that the bodies change, and others, which they must not. */
export async function createTargets({ ask }: Directory): Promise<void> {
  for (const userName of ['target', 'ada-of-directory', 'x']) {
    const emails = [{ value: 'x@x.io', type: 'work' }];
    const { status } = await ask('POST', '/Users', {
      userName,
      externalId: `e-${userName}`,
      displayName: userName,
      emails,
    });
    deepStrictEqual([userName, status], [userName, 201]);
  }
}

/**
 * Returns a check that sends one body, and whether it was accepted. It throws unless the body changes only what it names, and
 * only of this user; or is refused, and changes nothing.
 */
export async function checkUserChanges({ ask, takeWritten }: Directory) {
  let { body: before }: { body: Resource } = await ask('GET', target);
  takeWritten?.();
  return async ([method, body]: readonly [string, object]): Promise<boolean> => {
    const { status, body: answer } = await ask(method, target, body);
    const isAccepted = status === 200;
    const said = JSON.stringify([method, body, status, answer]).slice(0, 2000);
    deepStrictEqual([said, isAccepted || status === 400 || status === 409], [said, true]);
    requireOwn(said, { isAccepted, names: ['target'] }, takeWritten);
    if (!isAccepted && takeWritten !== undefined) return false;
    const { body: after } = await ask('GET', target);
    if (isAccepted) requireOnlyAsked({ method, body, before, after, said });
    else deepStrictEqual([said, after], [said, before]);
    deepStrictEqual([said, after.id, typeof after.userName], [said, 'target', 'string']);
    before = after;
    // So that each body finds something that it could spoil.
    if (after.active && after.emails && after.displayName) return isAccepted;
    const whole = { userName: 'target', active: true, displayName: 'T', emails: [{ value: 'x@x.io', type: 'work' }] };
    ({ body: before } = await ask('PUT', target, whole));
    requireOwn(said, { isAccepted: true, names: ['target'] }, takeWritten);
    return isAccepted;
  };
}

/** Creates a group with members; returns a check that sends one body, and whether a member was removed. */
export async function checkGroupChanges({ ask, takeWritten }: Directory) {
  for (const userName of members) await ask('POST', '/Users', { userName });
  const group = { displayName: 'G', members: members.map((value) => ({ value })) };
  const { body: created } = await ask('POST', '/Groups', group);
  const path = `/Groups/${created.id}`;
  const names = [created.id, ...members];
  takeWritten?.();
  return async (body: object): Promise<boolean> => {
    const { status } = await ask('PATCH', path, body);
    const isAccepted = status === 204;
    const said = JSON.stringify([body, status]).slice(0, 2000);
    deepStrictEqual([said, isAccepted || status === 400], [said, true]);
    requireOwn(said, { isAccepted, names }, takeWritten);
    if (!isAccepted && takeWritten !== undefined) return false;
    const { body: after } = await ask('GET', path);
    const left: readonly string[] = (after.members ?? []).map(({ value }: { value: string }) => value);
    // No body names these.
    const stays = isAccepted && isAboutAllMembers(body) ? [] : ['alan', 'grace'];
    deepStrictEqual([said, stays.filter((id) => !left.includes(id))], [said, []]);
    if (left.length === members.length) return false;
    deepStrictEqual([said, (await ask('PUT', path, group)).status], [said, 200]);
    requireOwn(said, { isAccepted: true, names }, takeWritten);
    return true;
  };
}

/** Whether a body sets the members, or removes them without saying which. */
function isAboutAllMembers(body: object): boolean {
  return askedBy(body).some(({ op, path, value }) => {
    const isAny = !path.includes('[') || path.includes(' ne ');
    return isAbout(path, 'members') && (op === 'replace' || (op === 'remove' && value === undefined && isAny));
  });
}

/** A refused request writes nothing, and an accepted one only items that belong to one of these. */
function requireOwn(
  said: string,
  { isAccepted, names }: { readonly isAccepted: boolean; readonly names: readonly string[] },
  takeWritten: Directory['takeWritten'],
): void {
  const written = takeWritten?.() ?? [];
  const isOwn = (item: object) => names.some((name) => JSON.stringify(item).includes(name));
  deepStrictEqual([said, written.filter((item) => !isAccepted || !isOwn(item))], [said, []]);
}

interface Step {
  readonly method: string;
  readonly body: object;
  readonly before: Resource;
  readonly after: Resource;
  readonly said: string;
}

/** A PUT clears what it does not name, but not what decides about access or identifies the user. */
function requireOnlyAsked({ method, body, before, after, said }: Step): void {
  const paths =
    method === 'PUT' ? Object.keys(body).map((key) => key.toLowerCase()) : askedBy(body).map(({ path }) => path);
  const isSchema = paths.some((path) => /^urn:.*:user$/.test(path));
  const watched =
    method === 'PUT' ? ['active', 'externalId', 'userName'] : [...Object.keys(before), ...Object.keys(after)];
  for (const name of new Set(watched)) {
    const isAsked = name === 'meta' || name.startsWith('urn:') || name === 'schemas';
    if (isAsked || isSchema || paths.some((path) => isAbout(path, name))) continue;
    deepStrictEqual([said, name, after[name]], [said, name, before[name]]);
  }
}
