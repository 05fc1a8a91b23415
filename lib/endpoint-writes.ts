import type { ServiceRouteName } from '#shared/contract/routes.ts';
import type { ItemKind, WriteAction } from './table.ts';

export type EndpointWrites = Readonly<Partial<Record<WriteAction, readonly ItemKind[]>>>;

/**
 * What each endpoint may write, and how: the entries of its transaction in `shared/domain/change-access.ts` and no
 * others, besides the last use of a key, which all of them note. Only Members are ever deleted, an Access is only updated,
 * and no endpoint writes an application or a role.
 */
export const endpointWrites: Readonly<Record<ServiceRouteName, EndpointWrites>> = {
  'get-access': {},
  'set-access': {
    PutItem: ['nonce', 'user'],
    UpdateItem: ['user'],
    ConditionCheckItem: ['user'],
  },
  'assign-role': {
    PutItem: ['nonce', 'user', 'member'],
    UpdateItem: ['user'],
    ConditionCheckItem: ['user'],
    // Of grants that have ended.
    DeleteItem: ['member'],
  },
  'revoke-role': {
    PutItem: ['nonce', 'user'],
    UpdateItem: ['user'],
    ConditionCheckItem: ['user'],
    DeleteItem: ['member'],
  },
  'list-changes': {},
};
