import { coreManageOperations, coreServiceOperations } from './core-operations.ts';
import type { AnswerOf } from './operation.ts';
import { optionManageOperations, optionServiceOperations } from './option-operations.ts';

/** The Service API, by the names of its operations: those of the core, then those of the options. */
export const serviceOperations = { ...coreServiceOperations, ...optionServiceOperations } as const;
export type ServiceOperations = typeof serviceOperations;
export type ServiceOperationName = keyof ServiceOperations;
/** The operations of the Service API that change the table. */
export type ServiceWriteName = {
  [Name in ServiceOperationName]: ServiceOperations[Name]['writes'] extends true ? Name : never;
}[ServiceOperationName];

/** The Management API: one function serves them all, behind the function URL (IAM) and the HTTP API (JWT). */
export const manageOperations = { ...coreManageOperations, ...optionManageOperations } as const;
export type ManageOperations = typeof manageOperations;
export type ManageOperationName = keyof ManageOperations;

/** The answer of each operation of the Management API. */
export type ManageAnswers = { readonly [Name in ManageOperationName]: AnswerOf<ManageOperations[Name]> };
