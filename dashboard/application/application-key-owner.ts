import { type Scope, scopes } from '#shared/contract/operation.ts';
import type { KeyOwner } from '../keys/key-owner.ts';
import { registeredPages } from '../options/registered-pages.ts';
import { TryPanel } from './try-panel.tsx';

const descriptions: Readonly<Partial<Record<Scope, string>>> = {
  'access:read': 'Read who is allowed to use the application, with which roles, and follow the changes',
  'access:write': 'Allow users to use the application, and block them',
  'roles:write': "Assign the application's roles to users, and remove them",
  ...Object.assign({}, ...registeredPages.map((option) => option.scopes)),
};

const shared = {
  words: {
    owner: 'application',
    key: 'API key',
    short: 'key',
    secret: 'secret',
    storeHint: 'Store it where the application reads its secrets.',
    usedAs: 'signed with',
  },
  scopes: scopes.map((name) => ({ name, description: descriptions[name], isUsual: name === 'access:read' })),
  operations: { issue: 'issue-key', label: 'update-key', rotate: 'rotate-key', revoke: 'revoke-key' },
  Trial: TryPanel,
} as const satisfies Partial<KeyOwner>;

/** An application, whose keys sign requests. A key can only read at first. */
export function applicationKeyOwner(appId: string): KeyOwner {
  return {
    ...shared,
    appId,
    writesWith: (write) => ({
      issue: ({ scopes, ...body }) =>
        write('issue-key', { path: { appId }, body: { ...body, scopes: scopes as Scope[] } }),
      label: async (keyId, body) => {
        await write('update-key', { path: { appId, keyId }, body });
      },
      rotate: (keyId, body) => write('rotate-key', { path: { appId, keyId }, body }),
      revoke: async (keyId) => {
        await write('revoke-key', { path: { appId, keyId } });
      },
    }),
  };
}
