import { expect } from '@jest/globals';
import { exampleChangeView } from '#shared/contract/examples.ts';
import { grantRole, newApplication } from '../new-application.ts';
import { newUser } from '../new-user.ts';
import type { ManageOutcomes } from '../outcomes.ts';
import type { Answer } from '../send-request.ts';
import { anApplication, aTimestamp, recorded } from '../view-shapes.ts';
import {
  type AskManage,
  anything,
  aUlid,
  isGranted,
  newMember,
  notGranted,
  nowhere,
  pageOf,
  reads,
  setByTests,
} from './prepare.ts';

/** What was undone is stated by the tests of undoing. */
const states = { before: expect.any(Object), after: expect.any(Object) };

/** A Change as a history shows it, made by the preparation of a request. */
const aChange = (members: object) => ({
  id: aUlid,
  at: aTimestamp,
  caller: setByTests(null).caller,
  reason: null,
  requestId: 'test',
  sourceIp: '127.0.0.1',
  integrity: expect.objectContaining({ root: 'h1' }),
  ...members,
});

/** The requests for changes, and for undoing them. */
export function changeOutcomes(ask: AskManage) {
  const changeIdOf = async (answer: Promise<Answer>): Promise<string> => (await answer).body.changeId;
  const firstChange = async (userId: string) =>
    (await ask('list-user-changes', { path: { userId }, query: { limit: 1 } })).body.items[0];

  const newGrant = async () => {
    const [appId, userId] = [await newApplication(['editor']), await newUser()];
    await grantRole(userId, appId, 'editor');
    return { appId, userId };
  };
  const granted = (appId: string, userId: string) =>
    aChange({
      action: 'role.assigned',
      appId,
      userId,
      role: 'editor',
      undo: 'possible',
      before: { ...notGranted, version: 0 },
      after: { ...isGranted, version: 1 },
    });

  return {
    'list-application-changes': {
      done: async () => {
        const { appId, userId } = await newGrant();
        const call = { path: { appId }, query: { limit: 1 } };
        return { call, status: 200, answer: { items: [granted(appId, userId)], cursor: expect.any(String) } };
      },
      'done forward': async () => ({ call: { path: { appId: 'billing' }, query: { after: '' } }, status: 200 }),
      refused: async () => ({ call: { path: nowhere, query: {} }, status: 404 }),
    },
    'list-user-changes': {
      done: async () => {
        const { appId, userId } = await newGrant();
        const after = { status: 'active', displayName: null, email: null, version: 1 };
        const created = aChange({ action: 'user.created', userId, undo: 'not_undoable', before: null, after });
        const answer = pageOf(granted(appId, userId), created);
        return { call: { path: { userId }, query: {} }, status: 200, answer };
      },
      'done for one application': async () => {
        const { appId, userId } = await newMember();
        return { call: { path: { userId }, query: {} }, status: 200, groups: [`viewer:${appId}`] };
      },
      refused: anything,
    },
    'verify-changes': {
      done: async () => {
        const { userId } = await newMember();
        const change = await firstChange(userId);
        const answer = { items: [{ id: change.id, verdict: 'unchanged' }] };
        return { call: { body: { changes: [change] } }, status: 200, answer };
      },
      'done for a change without a MAC': async () => {
        const { integrity: _, ...change } = exampleChangeView;
        const answer = { items: [{ id: change.id, verdict: 'without-mac' }] };
        return { call: { body: { changes: [change] } }, status: 200, answer };
      },
      unchanged: reads,
      refused: anything,
    },
    'list-all-changes': {
      done: async () => {
        await newGrant();
        const items = [expect.objectContaining({ action: 'role.assigned' })];
        const call = { query: { limit: 1, action: 'role.assigned' } } as const;
        return { call, status: 200, answer: { items, cursor: expect.any(String) } };
      },
      'done for a user': async () => ({ call: { query: { userId: 'ada' } }, status: 200 }),
      'done for an application': async () => ({ call: { query: { appId: 'billing' } }, status: 200 }),
      'done for an operator': async () => ({ call: { query: { actor: 'test' } }, status: 200 }),
      'done for a connection': async () => ({ call: { query: { connectionId: 'gateway' } }, status: 200 }),
      refused: anything,
    },
    'undo-change': {
      done: async () => {
        const [userId, appId] = [await newUser(), 'billing'];
        const body = { status: 'disabled' } as const;
        const changeId = await changeIdOf(ask('set-user-access', { path: { userId, appId }, body }));
        const undone = { action: 'access.changed', appId, userId, undoOf: changeId, ...states };
        return {
          call: { path: { userId, changeId } },
          status: 200,
          answer: { appId, userId, ...recorded, version: 2 },
          change: () => undone,
        };
      },
      'done for a grant': async () => {
        const path = await newMember();
        const changeId = await changeIdOf(ask('revoke-user-role', { path }));
        return { call: { path: { userId: path.userId, changeId } }, status: 200 };
      },
      'done for a status': async () => {
        const userId = await newUser();
        const body = { status: 'inactive' } as const;
        const changeId = await changeIdOf(ask('set-user-status', { path: { userId }, body }));
        return { call: { path: { userId, changeId } }, status: 200 };
      },
      unchanged: { never: 'What was changed since is refused.' },
      refused: async () => ({ call: { path: { userId: 'ada', changeId: '0'.repeat(26) } }, status: 404 }),
    },
    'undo-application-change': {
      done: async () => {
        const appId = await newApplication();
        const name = `Application ${appId}`;
        const body = { rolloutPercent: 10 };
        const changeId = await changeIdOf(ask('update-application', { path: { appId }, body }));
        return {
          call: { path: { appId, changeId } },
          status: 200,
          answer: { ...anApplication({ appId, name, version: 3 }), ...recorded },
          change: () => ({ action: 'application.updated', appId, undoOf: changeId, ...states }),
        };
      },
      unchanged: { never: 'What was changed since is refused.' },
      refused: async () => ({ call: { path: { appId: 'billing', changeId: '0'.repeat(26) } }, status: 404 }),
    },
  } satisfies Partial<ManageOutcomes>;
}
