import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type ConnectedDirectory, connectDirectory } from '../support/ask-scim.ts';
import { askedBy, isAbout, patchBody, userBody } from '../support/scim-bodies.ts';
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
  return new Map(items.filter(([key]) => !/^(?:USERS|FIND#|FORMAT)/.test(key)));
}

const target = '/Users/target';
const kinds = fc.oneof(
  { weight: 4, arbitrary: patchBody.map((body) => ['PATCH', body] as const) },
  { weight: 1, arbitrary: userBody('target').map((body) => ['PUT', body] as const) },
);

test('no body changes what it does not name, or anybody else', async () => {
  const untouched = await others();
  let { body: before } = await ask('GET', target);
  const outcomes = new Map<number, number>();
  for (const [method, body] of fc.sample(kinds, bodies)) {
    const { status, body: answer } = await ask(method, target, body);
    const { body: after } = await ask('GET', target);
    const said = JSON.stringify([method, body, status, answer]).slice(0, 2000);
    if (status === 200) requireOnlyAsked({ method, body, before, after, said });
    else expect([said, status === 400 || status === 409, after]).toEqual([said, true, before]);
    expect([said, after.id, after.userName]).toEqual([said, 'target', expect.any(String)]);
    outcomes.set(status, (outcomes.get(status) ?? 0) + 1);
    before = after;
    // So that each body finds something that it could spoil.
    if (after.active && after.emails && after.displayName) continue;
    const whole = { userName: 'target', active: true, displayName: 'T', emails: [{ value: 'x', type: 'work' }] };
    ({ body: before } = await ask('PUT', target, whole));
  }
  expect(await others()).toEqual(untouched);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  // Otherwise hardly anything was tried.
  expect(outcomes.get(200)).toBeGreaterThan(bodies / 10);
});

interface Step {
  readonly method: string;
  readonly body: object;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
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
