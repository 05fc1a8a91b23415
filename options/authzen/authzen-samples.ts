import type { BearerSample } from '#shared/contract/bearer-sample.ts';
import { authorizeEndpoint, evaluationEndpoint, evaluationsEndpoint } from './authzen-endpoints.ts';

const enter = { name: 'enter' };
const subjectOf = (id: string) => ({ type: 'user', id });
const resourceOf = (id: string) => ({ type: 'application', id });

/** One question of a gateway, as many as one request reads, and the request of a proxy. */
export const authzenSamples: readonly BearerSample[] = [
  {
    endpoint: evaluationEndpoint,
    operation: 'AuthZEN evaluation',
    users: 1,
    designed: { requests: 1, readUnits: 4 },
    expected: 200,
    request: ({ userIds: [userId = ''], appId }) => ({
      body: { subject: subjectOf(userId), action: enter, resource: resourceOf(appId) },
    }),
  },
  {
    endpoint: evaluationsEndpoint,
    operation: 'AuthZEN evaluations of 33 users',
    users: 33,
    // The connection and the application, and the user and the access of each question.
    designed: { requests: 1, readUnits: 68 },
    expected: 200,
    request: ({ userIds, appId }) => {
      const evaluations = userIds.map((userId) => ({ subject: subjectOf(userId) }));
      return { body: { action: enter, resource: resourceOf(appId), evaluations } };
    },
  },
  {
    endpoint: authorizeEndpoint,
    operation: 'a request of a proxy',
    users: 1,
    designed: { requests: 1, readUnits: 4 },
    expected: 204,
    request: ({ userIds: [userId = ''], appId }) => ({
      query: `application=${appId}`,
      headers: { 'x-original-user': userId },
    }),
  },
];
