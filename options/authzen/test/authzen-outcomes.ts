import { newConnection } from '#options/connections/test/support/new-connection.ts';
import type { OptionOutcomes } from '#test/support/option-outcomes.ts';
import { sendWithToken } from '#test/support/send-with-token.ts';

/** A proxy gets 403 for a user who may not enter, and for one whom it does not identify. */
export const outcomes: OptionOutcomes = {
  problems: (ask, service) => {
    const askAsProxy = async (headers: Record<string, string> = {}) => {
      const { token } = await newConnection(['billing'], undefined, { identity: { trustsUserHeader: true } });
      const sent = { headers: { authorization: `Bearer ${token}`, ...headers } };
      return sendWithToken(service(), ['GET', '/access/v1/authorize?application=billing'], sent);
    };
    return {
      user_unidentified: () => askAsProxy(),
      access_denied: async () => {
        const path = { userId: 'blocked-here', appId: 'billing' };
        await ask('create-user', { path: { userId: path.userId }, body: {} });
        await ask('set-user-access', { path, body: { status: 'disabled' } });
        return askAsProxy({ 'x-original-user': path.userId });
      },
    };
  },
};
