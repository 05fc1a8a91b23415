import { expect, test } from '@jest/globals';
import { managementRoutes } from '#client/management/management-contract.ts';
import { manageOperations } from '#shared/contract/operations.ts';

test('every operation is where its record says', () => {
  const routes = Object.entries(manageOperations).map(([name, { method, path }]) => [name, [method, path]]);
  expect(managementRoutes).toEqual(Object.fromEntries(routes));
});
