import type { ServiceOperationName } from '#shared/contract/operations.ts';
import type { ItemKind, WriteAction } from './table.ts';

export type EndpointWrites = Readonly<Partial<Record<WriteAction, readonly ItemKind[]>>>;

/**
 * The write permissions of each endpoint: exactly the actions of its transaction in `shared/domain/access/change-access.ts`. The
 * last use of a key, which every endpoint records, is granted separately. Only Members are deleted, an Access is only
 * updated, and no endpoint writes an application or a role.
 */
export const endpointWrites: Readonly<Record<ServiceOperationName, EndpointWrites>> = {
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
    // For grants that have expired.
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
