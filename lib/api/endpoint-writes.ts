import type { ServiceOperationName } from '#shared/contract/operations.ts';
import type { ItemKind, ListName, WriteAction } from '../data/table.ts';

export type EndpointWrites = Readonly<Partial<Record<WriteAction, readonly ItemKind[]>>>;

/**
 * The write permissions of each endpoint that writes: exactly the actions of its transaction in `shared/domain/access/change-access.ts`. The
 * last use of a key, which every endpoint records, is granted separately. Only Members are deleted, an Access is only
 * updated, and no endpoint writes an application or a role. Default: none.
 */
export const endpointWrites: Readonly<Partial<Record<ServiceOperationName, EndpointWrites>>> = {
  'set-access': {
    PutItem: ['nonce', 'user', 'accessEntry'],
    UpdateItem: ['user'],
  },
  'assign-role': {
    PutItem: ['nonce', 'user', 'accessEntry', 'member'],
    UpdateItem: ['user'],
    // For grants that have expired.
    DeleteItem: ['member'],
  },
  'revoke-role': {
    PutItem: ['nonce', 'user'],
    UpdateItem: ['user'],
    DeleteItem: ['member'],
  },
};

/** The lists of the index that each endpoint reads. Default: none. */
export const endpointLists: Readonly<Partial<Record<ServiceOperationName, readonly ListName[]>>> = {
  'get-snapshot': ['users', 'applicationUsers'],
  'list-changes': ['userChanges', 'applicationChanges'],
};
