import type { AppId } from '#shared/contract/fields.ts';
import type { ApplicationPart } from '#shared/domain/application/application-part.ts';
import { recordedDifference } from '#shared/domain/request/recorded-difference.ts';
import { loginOf } from '../table/login-item.ts';
import { recordedLogin } from './recorded-login.ts';
import { repairClient } from './repair-login.ts';

/** The login of an application, which is in its item; its client is deleted by the function that follows the stream. */
export const loginPart: ApplicationPart = {
  actions: 'login.',
  attributesAfter: ({ login = {} }, { action, after }) => {
    if (action === 'login.deleted') return { login: {} };
    const changed = ['redirectUris', 'logoutUris'].filter((name) => after?.[name] !== undefined);
    const lists = changed.map((name) => [
      name,
      String(after?.[name] ?? '')
        .split(' ')
        .filter(Boolean),
    ]);
    const { version: _, ...set } = after ?? {};
    return { login: { secretAddedAt: null, ...login, ...set, ...Object.fromEntries(lists) } };
  },
  missingChanges: (application, own) => {
    const changes = own.filter(({ action }) => action.startsWith('login.'));
    if (changes.length === 0) return [];
    const state = recordedLogin(loginOf(application));
    const known = Object.assign({}, ...changes.map(({ after }) => after));
    const recorded = recordedDifference({ ...state, ...known }, state);
    return recorded === undefined ? [] : [{ action: 'login.changed', ...recorded }];
  },
  items: 'login-client',
  missingItems: repairClient,
  deleteItems: async (_appId: AppId) => false,
};
