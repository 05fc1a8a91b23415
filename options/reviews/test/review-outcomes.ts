import {
  type AskManage,
  accessOfMember,
  newMember,
  noName,
  nowhere,
  pageOf,
  setByTests,
} from '#test/support/manage-outcomes/prepare.ts';
import type { OptionOutcomes } from '#test/support/option-outcomes.ts';
import type { ManageOutcomes } from '#test/support/outcomes.ts';
import type { TestService } from '#test/support/start-service.ts';
import { anApplication, aTimestamp } from '#test/support/view-shapes.ts';

/** The requests of operators for reviews of access. */
function manage(_: () => TestService, ask: AskManage) {
  return {
    'list-access-review': {
      done: async () => {
        const { appId, userId } = await newMember();
        const [granted, blocked] = [setByTests(null), setByTests('a reason')];
        const roles = [{ name: 'editor', expiresAt: null, grantedAt: aTimestamp, grantedBy: granted }];
        const shown = { ...noName, statusSetBy: blocked, userStatusSetBy: null, roles, lastChange: blocked };
        return {
          call: { path: { appId }, query: {} },
          status: 200,
          answer: { ...pageOf({ ...accessOfMember({ appId, userId }), ...shown }), asOf: aTimestamp, lastReview: null },
        };
      },
      'done after a review': async () => {
        const { appId } = await newMember();
        await ask('review-application', { path: { appId }, query: {}, body: { asOf: new Date().toISOString() } });
        return { call: { path: { appId }, query: {} }, status: 200 };
      },
      refused: async () => ({ call: { path: nowhere, query: {} }, status: 404 }),
    },
    'review-application': {
      done: async () => {
        const { appId } = await newMember();
        const asOf = new Date().toISOString();
        const before = { reviewedAsOf: null, laterChanges: null, version: 1 };
        const after = { reviewedAsOf: asOf, laterChanges: 0, version: 2 };
        return {
          call: { path: { appId }, query: {}, body: { asOf } },
          status: 200,
          answer: { ...anApplication({ appId, version: 2, reviewedAt: aTimestamp }), laterChanges: 0 },
          change: () => ({ action: 'application.reviewed', appId, before, after }),
        };
      },
      unchanged: { never: 'Each review is recorded.' },
      refused: async () => ({ call: { path: nowhere, body: { asOf: new Date().toISOString() } }, status: 404 }),
    },
  } satisfies Partial<ManageOutcomes>;
}

/** What reviews add to the tests of all operations. */
export const outcomes: OptionOutcomes = {
  manage,
  allowed: { viewer: ['list-access-review'], admin: ['review-application'] },
  examplesAfter: { 'list-application-users': ['list-access-review'], 'verify-changes': ['review-application'] },
};
