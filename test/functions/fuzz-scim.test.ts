import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type ConnectedDirectory, connectDirectory } from '../support/ask-scim.ts';
import { askedBy, groupPatchBody, isAbout, patchBody, userBody } from '../support/scim-bodies.ts';
import { startSources, type TestService } from '../support/start-service.ts';

/** `npm run fuzz:scim` sends 100,000. */
const bodies = Number(process.env.SCIM_BODIES ?? 2000);
let service: TestService;
let ask: ConnectedDirectory['ask'];
beforeAll(async () => {
  service = await startSources();
  ({ ask } = await connectDirectory(service));
  for (const userName of ['target', 'ada-of-directory', 'x']) {
    const user = {
      userName,
      externalId: `e-${userName}`,
      displayName: userName,
      emails: [{ value: 'x', type: 'work' }],
    };
    expect((await ask('POST', '/Users', user)).status).toBe(201);
  }
});
afterAll(() => service.stop());

/** All items that do not belong to the target, nor only list or count users. */
async function others(): Promise<Map<string, unknown>> {
  const items = [...(await service.items())].filter(([key, item]) => !JSON.stringify([key, item]).includes('target'));
  return new Map(items.filter(([key]) => !/^(?:USERS|FIND#|FORMAT|SCIM#\S+#ACTIVITY)/.test(key)));
}

const target = '/Users/target';
const kinds = fc.oneof(
  { weight: 4, arbitrary: patchBody.map((body) => ['PATCH', body] as const) },
  { weight: 1, arbitrary: userBody('target').map((body) => ['PUT', body] as const) },
);

/** The time of a test is limited, so many bodies are sent in several. */
const perTest = 2000;
const batches = Array.from({ length: Math.ceil(bodies / perTest) }, (_, n) => Math.min(perTest, bodies - n * perTest));

describe('no body changes what it does not name, or anybody else', () => {
  let untouched: Map<string, unknown>;
  let before: Resource;
  beforeAll(async () => {
    untouched = await others();
    ({ body: before } = await ask('GET', target));
  });

  test.each(batches.map((count, n) => [n * perTest, count]))('%i and %i more', async (_, count) => {
    let accepted = 0;
    for (const [method, body] of fc.sample(kinds, count)) {
      const { status, body: answer } = await ask(method, target, body);
      const { body: after } = await ask('GET', target);
      const said = JSON.stringify([method, body, status, answer]).slice(0, 2000);
      if (status === 200) requireOnlyAsked({ method, body, before, after, said });
      else expect([said, status === 400 || status === 409, after]).toEqual([said, true, before]);
      expect([said, after.id, after.userName]).toEqual([said, 'target', expect.any(String)]);
      if (status === 200) accepted++;
      before = after;
      // So that each body finds something that it could spoil.
      if (after.active && after.emails && after.displayName) continue;
      const whole = { userName: 'target', active: true, displayName: 'T', emails: [{ value: 'x', type: 'work' }] };
      ({ body: before } = await ask('PUT', target, whole));
    }
    // Otherwise hardly anything was tried.
    expect(accepted).toBeGreaterThan(count / 10);
  });

  test('everything else is as it was', async () => {
    expect(await others()).toEqual(untouched);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

test('no body removes a member that it does not name, unless it names all', async () => {
  const directory = await connectDirectory(service, { takeover: 'matching' });
  for (const userName of ['ada', 'grace', 'alan']) await directory.ask('POST', '/Users', { userName });
  const group = { displayName: 'G', members: ['ada', 'grace', 'alan'].map((value) => ({ value })) };
  const { body: created } = await directory.ask('POST', '/Groups', group);
  const path = `/Groups/${created.id}`;
  let lost = 0;
  for (const body of fc.sample(groupPatchBody, Math.min(bodies, perTest) / 4)) {
    const { status } = await directory.ask('PATCH', path, body);
    const { body: after } = await directory.ask('GET', path);
    const left: readonly string[] = (after.members ?? []).map(({ value }: { value: string }) => value);
    const isWhole = askedBy(body).some(
      ({ op, path: named, value }) =>
        isAbout(named, 'members') && (op === 'replace' || (op === 'remove' && value === undefined)),
    );
    // No body names these.
    const stays = status !== 204 || !isWhole ? ['alan', 'grace'] : [];
    const said = JSON.stringify([body, status]).slice(0, 2000);
    expect([said, [204, 400].includes(status), stays.filter((id) => !left.includes(id))]).toEqual([said, true, []]);
    if (left.length === 3) continue;
    lost++;
    expect((await directory.ask('PUT', path, group)).status).toBe(200);
  }
  expect(lost).toBeGreaterThan(0);
});

type Resource = Readonly<Record<string, unknown>>;

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
    expect([said, name, after[name]]).toEqual([said, name, before[name]]);
  }
}
