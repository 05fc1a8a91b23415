import type { AddToStack } from '#lib/option-stack.ts';
import { placeAttributes } from '../table/place-attributes.ts';

/** Lets the function of the Management API find what no list has. */
export const addRepair: AddToStack = ({ table, manageApi }) => {
  table.grantScan(manageApi.function, placeAttributes);
  return undefined;
};
