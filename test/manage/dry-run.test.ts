import { describe, expect, test } from '@jest/globals';
import { type ManageOperationName, manageOperations } from '#shared/contract/operations.ts';
import { operationClient } from '../support/ask-operation.ts';
import { describeService } from '../support/describe-service.ts';
import { expectInvalid, expectProblem } from '../support/expect-problem.ts';
import { manageClient } from '../support/manage-client.ts';
import { manageOutcomes } from '../support/manage-outcomes.ts';
import { newApplication, setStatus } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import { rowsOf } from '../support/outcomes.ts';
import type { Answer } from '../support/send-request.ts';

const service = describeService();
const manage = manageClient(() => service);
const ask = operationClient(() => service);

/** The requests of every operation that supports a dry run, by outcome. A repair of feeds and counters goes on from what it has changed. */
const rows = rowsOf(manageOutcomes(() => service, ask)).filter(({ operation: name, outcome }) => {
  const operation = manageOperations[name as ManageOperationName];
  if (name === 'repair' && outcome !== 'done') return false;
  return 'query' in operation && 'dryRun' in operation.query.entries;
});
const [accepted, refused] = ['done', 'refused'].map((begin) => rows.filter(({ outcome }) => outcome.startsWith(begin)));

/** Removes the ids, times and cursors that differ between requests, and the secret, from a response. */
function stable({ status, body }: Answer) {
  const {
    changeId,
    keyId,
    createdAt,
    updatedAt,
    revokedAt,
    reviewedAt,
    invitedAt,
    signedOutAt,
    requestId,
    secret,
    token,
    cursor,
    secrets,
    ...rest
  } = body;
  return {
    status,
    ...rest,
    isRecorded: Boolean(changeId),
    isRevoked: Boolean(revokedAt),
    isReviewed: Boolean(reviewedAt),
    isInvited: Boolean(invitedAt),
    isSignedOut: Boolean(signedOutAt),
  };
}

const items = () => service.items({ keyUses: true, feeds: true });

describe('a dry run', () => {
  test.each(accepted ?? [])(
    'returns the same response as the request, and writes nothing: $operation, $outcome',
    async ({ operation, prepare }) => {
      const { call, groups, status } = await prepare();
      const before = await items();
      const preview = await ask(operation, call, { groups, dryRun: true });
      expect([preview.status, await items()]).toEqual([status, before]);
      const answer = await ask(operation, call, { groups });
      expect(stable(preview)).toEqual(stable(answer));
      expect(await items()).not.toEqual(before);
    },
  );

  test.each(refused ?? [])(
    'is refused like the request, and writes nothing: $operation, $outcome',
    async ({ operation, prepare }) => {
      const { call, groups, status } = await prepare();
      const before = await items();
      const preview = await ask(operation, call, { groups, dryRun: true });
      expect([preview.status, await items()]).toEqual([status, before]);
      expect(stable(preview)).toEqual(stable(await ask(operation, call, { groups })));
    },
  );

  test.each((accepted ?? []).filter(({ outcome }) => outcome === 'done'))(
    'requires the same role as the request: $operation',
    async ({ operation, prepare }) => {
      const { call } = await prepare();
      const refusal = await ask(operation, call, { groups: ['viewer'], dryRun: true });
      const { role: requiredRole } = manageOperations[operation as ManageOperationName];
      expectProblem(refusal, 'role_required', { requiredRole });
    },
  );
});

test('a dry run does not consume the Idempotency-Key: the real request with it takes effect once', async () => {
  const userId = await newUser();
  const headers = { 'idempotency-key': '"one-call"' };
  const body = { status: 'inactive' };
  const path = `/users/${userId}/status`;
  expect((await manage('iam', 'PUT', `${path}?dryRun=true`, { body, headers })).body.changed).toBe(true);
  expect((await manage('iam', 'PUT', path, { body, headers })).body.changed).toBe(true);
  expect((await manage('iam', 'PUT', `${path}?dryRun=true`, { body, headers })).body.changed).toBe(false);
});

test('a dry run of an undo does not consume the Idempotency-Key', async () => {
  const userId = await newUser();
  const { changeId } = await setStatus(userId, 'billing', 'disabled');
  const path = `/users/${userId}/changes/${changeId}/undo`;
  const headers = { 'idempotency-key': '"one-undo"' };
  expect((await manage('iam', 'POST', path, { headers })).body.changed).toBe(true);
  expectProblem(await manage('iam', 'POST', `${path}?dryRun=true`, { headers }), 'version_mismatch', { version: 2 });
});

test('a dry run of a rotation returns no secret', async () => {
  const appId = await newApplication();
  const { keyId } = await service.issueKey(appId, ['access:read']);
  const call = { path: { appId, keyId }, body: { overlap: 'PT0S' } };
  expect((await ask('rotate-key', call, { dryRun: true })).body.secret).toBe('');
});

test('a dry run that is neither true nor false is refused', async () => {
  expectInvalid(await manage('iam', 'DELETE', `/users/${await newUser()}?dryRun=yes`), 'query:dryRun');
});
