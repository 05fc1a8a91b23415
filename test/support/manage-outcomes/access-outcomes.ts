import { expect } from '@jest/globals';
import { newApplication, setStatus } from '../new-application.ts';
import { newUser } from '../new-user.ts';
import type { ManageOutcomes } from '../outcomes.ts';
import { fromNow } from '../timestamps.ts';
import { anAccess, aTimestamp, recorded } from '../view-shapes.ts';
import {
  accessOfMember,
  fresh,
  newMember,
  nobody,
  noName,
  notSet,
  nowhere,
  pageOf,
  setByTests,
  why,
} from './prepare.ts';

/** Lists what a filter of the accesses of an application finds of a member. */
const membersFound = (query: { readonly status?: 'disabled'; readonly effectiveStatus?: 'disabled' }) => async () => {
  const member = await newMember();
  const names = { ...noName, statusSetBy: setByTests('a reason'), userStatusSetBy: null };
  const answer = pageOf({ ...accessOfMember(member), ...names });
  return { call: { path: { appId: member.appId }, query }, status: 200, answer };
};

/** The requests for accesses. */
export function accessOutcomes() {
  const block = { status: 'disabled', reason: 'unpaid' } as const;
  return {
    'list-application-users': {
      done: membersFound({}),
      'done for explicitly disabled users': membersFound({ status: 'disabled' }),
      'done for effectively disabled users': membersFound({ effectiveStatus: 'disabled' }),
      'done for users found by name': async () => {
        const { appId, userId } = await newMember();
        return { call: { path: { appId }, query: { q: userId } }, status: 200 };
      },
      refused: async () => ({ call: { path: nowhere, query: {} }, status: 404 }),
    },
    'set-access-in-bulk': {
      done: async () => {
        const [appId, userId] = [await newApplication(), await newUser()];
        const after = { ...notSet, ...block, explicit: true, version: 1 };
        return {
          call: { path: { appId }, body: { userIds: [userId], ...block } },
          status: 200,
          answer: { items: [{ userId, outcome: 'changed' }] },
          change: () => ({
            action: 'access.changed',
            appId,
            userId,
            before: { ...notSet, version: 0 },
            after,
            reason: 'unpaid',
          }),
          again: 'unchanged',
        };
      },
      'done as a dry run': async () => ({
        call: { path: { appId: 'billing' }, body: { userIds: [await newUser()], status: 'disabled', dryRun: true } },
        status: 200,
      }),
      unchanged: async () => {
        const { appId, userId } = await newMember();
        const body = { userIds: [userId], status: 'disabled', reason: 'a reason' } as const;
        return { call: { path: { appId }, body }, status: 200 };
      },
      refused: async () => ({
        call: { path: { appId: 'billing' }, body: { userIds: ['nobody'], status: 'disabled' } },
        status: 200,
      }),
    },
    'list-user-access': {
      done: async () => {
        // Among the first hundred applications.
        const { userId, appId } = await newMember(`a-${fresh()}`);
        const application = { appName: `Application ${appId}`, rolloutPercent: 100, requireReason: null };
        const own = { ...accessOfMember({ appId, userId }), ...application, statusSetBy: setByTests('a reason') };
        const answer = expect.objectContaining({ items: expect.arrayContaining([own]) });
        return { call: { path: { userId }, query: { limit: 100 } }, status: 200, answer };
      },
      'done for one application': async () => ({
        call: { path: { userId: 'ada' }, query: {} },
        status: 200,
        groups: ['viewer:billing'],
      }),
      refused: async () => ({ call: { path: nobody, query: {} }, status: 404 }),
    },
    'set-user-access': {
      done: async () => {
        const path = { userId: await newUser(), appId: await newApplication() };
        const access = { ...path, status: 'disabled', explicit: true, reason: why.reason, version: 1 };
        const decided = { effectiveStatus: 'disabled', decidedBy: 'explicit', updatedAt: aTimestamp };
        return {
          call: { path, body: { status: 'disabled', ...why } },
          status: 200,
          answer: { ...anAccess({ ...access, ...decided }), ...recorded },
          change: () => ({
            action: 'access.changed',
            ...path,
            before: { ...notSet, version: 0 },
            after: { ...notSet, status: 'disabled', explicit: true, reason: why.reason, version: 1 },
            ...why,
          }),
          again: 'unchanged',
        };
      },
      'done, of the status that is the default': async () => {
        const path = { userId: await newUser(), appId: await newApplication() };
        return {
          call: { path, body: { status: 'enabled' } },
          status: 200,
          change: () => ({
            action: 'access.changed',
            ...path,
            before: { ...notSet, version: 0 },
            after: { ...notSet, explicit: true, version: 1 },
          }),
          again: 'unchanged',
        };
      },
      unchanged: async () => {
        const { appId, userId } = await newMember();
        return { call: { path: { userId, appId }, body: { status: 'disabled', reason: 'a reason' } }, status: 200 };
      },
      refused: async () => ({
        call: { path: { ...nobody, appId: 'billing' }, body: { status: 'enabled' } },
        status: 404,
      }),
      'refused, with an end in the past': async () => {
        const userId = await newUser();
        await setStatus(userId, 'billing', 'disabled');
        const body = { status: 'disabled', until: fromNow(-60_000) } as const;
        return { call: { path: { userId, appId: 'billing' }, body }, status: 400 };
      },
    },
  } satisfies Partial<ManageOutcomes>;
}
