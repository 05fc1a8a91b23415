import type { ManageOperation } from '#shared/contract/operation.ts';
import { type ManageOperationName, manageOperations } from '#shared/contract/operations.ts';

/** How an operation is called, and who may. */
export type OperationRoute = Pick<ManageOperation, 'method' | 'path' | 'role' | 'forLimited'>;

/** The routes of all operations. The build puts their values in place of this module, which has all schemas with it. */
export const operationRoutes: Readonly<Record<ManageOperationName, OperationRoute>> = manageOperations;
