import * as contract from '#options/contract.ts';
import type { OptionOperations } from './operation.ts';

type Options = (typeof contract)[keyof typeof contract];

/** The members of all types of a union in one. */
export type Together<Union> = (Union extends unknown ? (given: Union) => void : never) extends (
  given: infer All,
) => void
  ? All & object
  : never;

const options: readonly OptionOperations[] = Object.values(contract);

/** The operations of all options in the Service API. */
export const optionServiceOperations: Together<Options['service']> = Object.assign(
  {},
  ...options.map(({ service }) => service),
);

/** The operations of all options in the Management API. */
export const optionManageOperations: Together<Options['manage']> = Object.assign(
  {},
  ...options.map(({ manage }) => manage),
);

/** A valid request for each operation of the options in the Service API. */
export const optionTrials: Readonly<Record<string, object>> = Object.assign({}, ...options.map(({ trials }) => trials));
