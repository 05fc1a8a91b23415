import { describe, expect, test } from '@jest/globals';
import { createUlid } from '#shared/core/ids.ts';
import { describeService } from '../support/describe-service.ts';
import { describeEachEntryPoint } from '../support/each-entry-point.ts';
import { expectInvalid, expectProblem } from '../support/expect-problem.ts';
import { manageClient, operatorAt } from '../support/manage-client.ts';
import { grantRole, newApplication, setStatus } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import { changesOf } from '../support/read-changes.ts';
import { readPages } from '../support/read-pages.ts';
import { fromNow } from '../support/timestamps.ts';
import { writeNothing } from '../support/write-nothing.ts';

const service = describeService();
const manage = manageClient(() => service);

const changed = (userId: string) => ({ userId, outcome: 'changed' });
const unchanged = (userId: string) => ({ userId, outcome: 'unchanged' });
const failed = (userId: string, code: string) => ({
  userId,
  outcome: 'failed',
  problem: { code, detail: expect.stringMatching(/./) },
});

interface Kind {
  readonly what: string;
  readonly path: (appId: string) => string;
  readonly body: object;
  /** Makes the requested state already hold. */
  readonly hold: (userId: string, appId: string) => Promise<unknown>;
  readonly prepare?: (userId: string, appId: string) => Promise<unknown>;
  readonly record: object;
}

const deactivate = (userId: string) =>
  manage('iam', 'PUT', `/users/${userId}/status`, { body: { status: 'inactive', reason: 'left' } });

const kinds: readonly Kind[] = [
  {
    what: 'the access',
    path: (appId) => `/applications/${appId}/access`,
    body: { status: 'disabled', reason: 'left' },
    hold: (userId, appId) => setStatus(userId, appId, 'disabled', 'left'),
    record: { action: 'access.changed', reason: 'left' },
  },
  {
    what: 'an assigned role',
    path: (appId) => `/applications/${appId}/roles/editor/users`,
    body: { expiresAt: null },
    hold: (userId, appId) => grantRole(userId, appId, 'editor'),
    record: { action: 'role.assigned', role: 'editor', after: { granted: true, expiresAt: null } },
  },
  {
    what: 'a revoked role',
    path: (appId) => `/applications/${appId}/roles/editor/users/remove`,
    body: {},
    hold: async () => undefined,
    prepare: (userId, appId) => grantRole(userId, appId, 'editor'),
    record: { action: 'role.revoked', role: 'editor', after: { granted: false } },
  },
  {
    what: 'the status',
    path: () => '/user-status',
    body: { status: 'inactive', reason: 'left' },
    hold: deactivate,
    record: { action: 'user.status.changed', after: { status: 'inactive' }, reason: 'left' },
  },
];

describeEachEntryPoint(manage, (ask, entryPoint, once) => {
  describe.each(kinds)('in bulk, $what', ({ path, body, hold, prepare, record }) => {
    const given = async () => {
      const appId = await newApplication(['editor']);
      const [first, same, last] = [await newUser(), await newUser(), await newUser()];
      for (const userId of [first, last]) await prepare?.(userId, appId);
      await hold(same, appId);
      const userIds = [first, 'nobody', 'no id', same, last];
      const outcomes = [
        changed(first),
        failed('nobody', 'user_not_found'),
        failed('no id', 'invalid_request'),
        unchanged(same),
        changed(last),
      ];
      return { appId, userIds, outcomes, first, last };
    };

    test('changes each user independently, with an outcome for each and records with the id of the bulk', async () => {
      const { appId, userIds, outcomes, first, last } = await given();
      const bulkId = createUlid(new Date());
      const answer = await ask('POST', path(appId), { ...body, userIds, bulkId });
      expect([answer.status, answer.body]).toEqual([200, { items: outcomes }]);
      const records = await changesOf(service, answer);
      expect(records.map(({ userId }) => userId).sort()).toEqual([first, last].sort());
      for (const one of records) expect(one).toMatchObject({ ...record, bulkId, caller: operatorAt[entryPoint] });
      const [newest] = (await readPages(ask, `/users/${first}/changes`)).flat();
      expect(newest).toMatchObject({ ...record, bulkId });
    });

    once('a dry run returns the same outcomes and writes nothing', async () => {
      const { appId, userIds, outcomes } = await given();
      const request = { ...body, userIds };
      const preview = await ask('POST', path(appId), { ...request, dryRun: true });
      expect([preview.status, preview.body]).toEqual([200, { items: outcomes }]);
      expect(await changesOf(service, preview)).toEqual([]);
      expect((await ask('POST', path(appId), request)).body.items).toEqual(outcomes);
      const after = await ask('POST', path(appId), { ...request, dryRun: true });
      expect(after.body.items.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
        'unchanged',
        'failed',
        'failed',
        'unchanged',
        'unchanged',
      ]);
    });

    once(
      'a dry run does not consume the Idempotency-Key: the real request with it takes effect once, also on retry',
      async () => {
        const { appId, first } = await given();
        const headers = { 'idempotency-key': `"${createUlid(new Date())}"` };
        const request = { ...body, userIds: [first] };
        await ask('POST', path(appId), { ...request, dryRun: true }, headers);
        const answers = [
          await ask('POST', path(appId), request, headers),
          await ask('POST', path(appId), request, headers),
        ];
        expect(answers.map((answer) => answer.body.items)).toEqual([[changed(first)], [changed(first)]]);
        expect(await changesOf(service, answers[1] as (typeof answers)[number])).toEqual([]);
      },
    );

    once('a single change has no bulk id', async () => {
      const { appId, first } = await given();
      const answer = await ask('POST', path(appId), { ...body, userIds: [first] });
      const [only] = await changesOf(service, answer);
      expect([only?.userId, only !== undefined && 'bulkId' in only]).toEqual([first, false]);
    });

    describe('is refused, and nothing changes,', () => {
      writeNothing(() => service);

      test.each([
        ['a bulk id that is not a ULID', { bulkId: 'mine' }, '#/bulkId'],
        ['a bulk id from two days ago', { bulkId: createUlid(new Date(fromNow(-48 * 3_600_000))) }, '#/bulkId'],
        ['a bulk id from tomorrow', { bulkId: createUlid(new Date(fromNow(24 * 3_600_000))) }, '#/bulkId'],
        ['a dry run that is not a boolean', { dryRun: 'yes' }, '#/dryRun'],
        ['no users', { userIds: [] }, '#/userIds'],
      ])('with %s', async (_, wrong, pointer) => {
        expectInvalid(await ask('POST', path('wiki'), { ...body, userIds: ['ada'], ...wrong }), pointer);
      });
    });
  });

  once('assigns a role with an expiry, and refuses the whole request if the expiry has passed', async () => {
    const [appId, userId] = [await newApplication(['editor']), await newUser()];
    const expiresAt = fromNow(60_000);
    await ask('POST', `/applications/${appId}/roles/editor/users`, { userIds: [userId], expiresAt });
    const { body } = await ask('GET', `/applications/${appId}/roles/editor/users`);
    expect(body.items).toEqual([{ userId, displayName: null, email: null, expiresAt }]);
    const late = { userIds: [userId], expiresAt: fromNow(-60_000) };
    expectInvalid(await ask('POST', `/applications/${appId}/roles/editor/users`, late), '#/expiresAt');
  });

  once('answers 404 for an unknown role and for an unknown application', async () => {
    const appId = await newApplication([]);
    const users = { userIds: ['ada'] };
    expectProblem(await ask('POST', `/applications/${appId}/roles/none/users`, users), 'role_not_found');
    expectProblem(await ask('POST', '/applications/nothing/roles/none/users', users), 'application_not_found');
    expectProblem(await ask('POST', '/applications/nothing/roles/none/users/remove', users), 'application_not_found');
  });

  once('the members of a role are listed with their names and e-mail addresses', async () => {
    const appId = await newApplication(['editor']);
    const userId = await newUser();
    await ask('PATCH', `/users/${userId}`, { displayName: 'Zoë Ångström', email: 'zoe@example.org' });
    await grantRole(userId, appId, 'editor');
    const { body } = await ask('GET', `/applications/${appId}/roles/editor/users`);
    const member = { userId, displayName: 'Zoë Ångström', email: 'zoe@example.org', expiresAt: null };
    expect(body).toEqual({ items: [member], cursor: null });
  });
});
