import type { ConnectionCaller } from '#shared/domain/request/request-context.ts';
import type { OptionCode } from '#test/simulation/option-code.ts';
import { type AccessQuestion, evaluateAccess } from '../../server/answer-questions.ts';
import { issueConnectionKey, revokeConnectionKey, rotateConnectionKey } from '../../server/connection-keys.ts';
import { createConnection, updateConnection } from '../../server/connections.ts';
import { deleteConnection } from '../../server/delete-connection.ts';

/** The questions of a gateway, with the key of its connection. */
interface AskedByGateway extends Omit<ConnectionCaller, 'kind'> {
  readonly questions: readonly AccessQuestion[];
}

/** The code of connections that processes run. */
export const code: OptionCode = {
  runs: {
    'create-connection': createConnection,
    'update-connection': updateConnection,
    'delete-connection': deleteConnection,
    'issue-connection-key': issueConnectionKey,
    'rotate-connection-key': rotateConnectionKey,
    'revoke-connection-key': revokeConnectionKey,
    'evaluate-access': async ({ questions, ...caller }: AskedByGateway) => {
      const { answers } = await evaluateAccess(questions, { kind: 'connection', ...caller });
      return { answers };
    },
  },
  actions: {
    'update-connection': 'connection.updated',
    'delete-connection': 'connection.deleted',
    'issue-connection-key': 'key.issued',
    'rotate-connection-key': 'key.rotated',
    'revoke-connection-key': 'key.revoked',
  },
  functions: {},
  checked: [
    'create-connection',
    'update-connection',
    'delete-connection',
    'issue-connection-key',
    'rotate-connection-key',
    'revoke-connection-key',
  ],
};
