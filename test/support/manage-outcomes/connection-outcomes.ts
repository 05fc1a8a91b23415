import { newApplication } from '../new-application.ts';
import { newConnection } from '../new-connection.ts';
import { newMemberOfDirectory } from '../new-directory.ts';
import type { ManageOutcomes } from '../outcomes.ts';
import { type AskManage, anything, creates, fresh } from './prepare.ts';

const nothing = { connectionId: 'nothing' };

async function newPath() {
  const { connectionId } = await newConnection([await newApplication()]);
  return { connectionId };
}

async function newKey() {
  const { connectionId, keyId } = await newConnection([await newApplication()]);
  return { connectionId, keyId };
}

/** The requests for connections and their keys. */
export function connectionOutcomes(ask: AskManage) {
  return {
    'create-connection': {
      done: async () => {
        const body = { connectionId: fresh(), kind: 'evaluate', name: 'New', applications: ['billing'] } as const;
        return { call: { body }, status: 201 };
      },
      unchanged: creates,
      refused: async () => {
        const body = { ...(await newPath()), kind: 'evaluate', name: 'Again', applications: ['billing'] } as const;
        return { call: { body }, status: 409 };
      },
    },
    'list-connections': {
      done: async () => {
        await newKey();
        return { call: { query: {} }, status: 200 };
      },
      refused: anything,
    },
    'get-connection': {
      done: async () => ({ call: { path: await newPath() }, status: 200 }),
      refused: async () => ({ call: { path: nothing }, status: 404 }),
    },
    'get-connection-activity': {
      done: async () => ({ call: { path: await newPath() }, status: 200 }),
      refused: async () => ({ call: { path: nothing }, status: 404 }),
    },
    'update-connection': {
      done: async () => ({ call: { path: await newPath(), body: { applications: ['billing'] } }, status: 200 }),
      unchanged: async () => ({ call: { path: await newPath(), body: { name: 'Gateway' } }, status: 200 }),
      refused: async () => ({ call: { path: nothing, body: { name: 'Renamed' } }, status: 404 }),
    },
    'delete-connection': {
      done: async () => ({ call: { path: await newPath() }, status: 200 }),
      'done for a directory': async () => {
        const { connectionId } = await newMemberOfDirectory();
        return { call: { path: { connectionId } }, status: 200 };
      },
      unchanged: { never: 'A connection that is deleted is not found.' },
      refused: async () => ({ call: { path: nothing }, status: 404 }),
    },
    'issue-connection-key': {
      done: async () => ({ call: { path: await newPath(), body: { label: 'New' } }, status: 201 }),
      unchanged: creates,
      refused: async () => ({ call: { path: nothing, body: {} }, status: 404 }),
    },
    'update-connection-key': {
      done: async () => ({ call: { path: await newKey(), body: { label: 'Renamed' } }, status: 200 }),
      unchanged: async () => ({ call: { path: await newKey(), body: { label: null } }, status: 200 }),
      refused: async () => ({
        call: { path: { ...(await newPath()), keyId: 'unknown' }, body: { label: 'Renamed' } },
        status: 404,
      }),
    },
    'rotate-connection-key': {
      done: async () => ({ call: { path: await newKey(), body: { overlap: 'PT1H' } }, status: 201 }),
      unchanged: creates,
      refused: async () => ({
        call: { path: { ...(await newPath()), keyId: 'unknown' }, body: { overlap: 'PT1H' } },
        status: 404,
      }),
    },
    'revoke-connection-key': {
      done: async () => ({ call: { path: await newKey() }, status: 200 }),
      unchanged: async () => {
        const path = await newKey();
        await ask('revoke-connection-key', { path });
        return { call: { path }, status: 200 };
      },
      refused: async () => ({ call: { path: { ...(await newPath()), keyId: 'unknown' } }, status: 404 }),
    },
  } satisfies Partial<ManageOutcomes>;
}
