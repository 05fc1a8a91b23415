import type { IssuedKeyView } from '#shared/contract/api-key.ts';
import type { BodyInput, ConnectionKind } from '#shared/contract/operation.ts';
import type { ManageOperations } from '#shared/contract/operations.ts';
import { useWriter } from '../session/dashboard-context.ts';

/** What has keys: an application, whose keys sign requests, or a connection, whose keys are bearer tokens. */
export type KeyOwner = { readonly appId: string } | { readonly connectionId: string; readonly kind: ConnectionKind };

/** The application of an owner, for the permissions of operators. */
export function appIdOf(owner: KeyOwner): string | undefined {
  return 'appId' in owner ? owner.appId : undefined;
}

type Body<Name extends keyof ManageOperations> = NonNullable<BodyInput<ManageOperations[Name]>>;
interface NewKey extends Omit<Body<'issue-key'>, 'scopes'> {
  readonly scopes: readonly string[];
}

/** Issues, labels, rotates and revokes the keys of an owner. The secret of a connection's key is its token. */
export function useKeyWrites(owner: KeyOwner) {
  const write = useWriter();
  if ('appId' in owner) {
    const { appId } = owner;
    return {
      issue: (body: NewKey): Promise<IssuedKeyView<string>> =>
        write('issue-key', { path: { appId }, body: body as Body<'issue-key'> }),
      label: async (keyId: string, body: Body<'update-key'>): Promise<void> => {
        await write('update-key', { path: { appId, keyId }, body });
      },
      rotate: (keyId: string, body: Body<'rotate-key'>): Promise<IssuedKeyView<string>> =>
        write('rotate-key', { path: { appId, keyId }, body }),
      revoke: async (keyId: string): Promise<void> => {
        await write('revoke-key', { path: { appId, keyId } });
      },
    };
  }
  const { connectionId } = owner;
  const withSecret = <Key extends { readonly token: string }>({ token: secret, ...key }: Key) => ({ ...key, secret });
  return {
    issue: async (body: NewKey): Promise<IssuedKeyView<string>> =>
      withSecret(
        await write('issue-connection-key', { path: { connectionId }, body: body as Body<'issue-connection-key'> }),
      ),
    label: async (keyId: string, body: Body<'update-connection-key'>): Promise<void> => {
      await write('update-connection-key', { path: { connectionId, keyId }, body });
    },
    rotate: async (keyId: string, body: Body<'rotate-connection-key'>): Promise<IssuedKeyView<string>> =>
      withSecret(await write('rotate-connection-key', { path: { connectionId, keyId }, body })),
    revoke: async (keyId: string): Promise<void> => {
      await write('revoke-connection-key', { path: { connectionId, keyId } });
    },
  };
}
