import type { OptionProbes } from '#smoke/option-probes.ts';
import { requireEqual, type Trial } from '#smoke/trial.ts';
import { deleteLeftConnection } from './delete-left-connection.ts';

const connection = ({ appId }: Trial) => ({ path: { connectionId: appId } });
const connectionKey = ({ appId, connectionKey: key }: Trial) => ({ connectionId: appId, keyId: key?.keyId ?? '' });
const one = { limit: 1 };

/** A connection with the id of the application, whose key the endpoints for connections are tried with. */
export const connectionProbes: OptionProbes = {
  preparation: {
    'create-connection': {
      request: ({ appId, id }) => ({
        body: { connectionId: appId, kind: 'evaluate' as const, name: `Smoke test ${id}`, applications: [appId] },
      }),
      check: ({ applications }) => requireEqual('applications', applications.length, 1),
    },
    'get-connection': { request: connection, check: ({ kind }) => requireEqual('kind', kind, 'evaluate') },
    'get-connection-activity': { request: connection, check: ({ requests }) => requireEqual('requests', requests, 0) },
    'list-connections': {
      request: () => ({ query: one }),
      check: ({ items }) => requireEqual('items', items.length, 1),
    },
    'update-connection': {
      request: (trial) => ({ ...connection(trial), body: { name: `Smoke test ${trial.id}, renamed` } }),
      check: ({ changed }) => requireEqual('changed', changed, true),
    },
    'issue-connection-key': {
      request: connection,
      check: ({ keyId, token }, trial) => {
        trial.connectionKey = { keyId, token };
        return undefined;
      },
    },
  },
  operation: {
    'update-connection-key': {
      request: (trial) => ({ path: connectionKey(trial), body: { label: 'Smoke' } }),
      check: ({ label }) => requireEqual('label', label, 'Smoke'),
    },
    'rotate-connection-key': {
      request: (trial) => ({ path: connectionKey(trial), body: { overlap: 'PT0S' } }),
      check: ({ replaces }, trial) => requireEqual('replaces', replaces, connectionKey(trial).keyId),
    },
    'revoke-connection-key': {
      request: (trial) => ({ path: connectionKey(trial) }),
      check: ({ revokedAt }) => requireEqual('revoked', revokedAt !== null, true),
    },
    'delete-connection': { request: connection, check: ({ complete }) => requireEqual('complete', complete, true) },
  },
  cleanUp: (manage, appId) => deleteLeftConnection(manage, appId),
};
