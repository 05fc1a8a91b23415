import { expect, test } from '@jest/globals';
import type { Access, ChangedAccess } from '#shared/contract/access.ts';
import type { CheckedAccess } from '#shared/contract/access-check.ts';
import type { ApplicationChange } from '#shared/contract/change.ts';
import { changeActions } from '#shared/contract/change-actions.ts';
import type { DetailedChange } from '#shared/contract/change-details.ts';
import { type ErrorCode, errorCatalogue } from '#shared/contract/error-codes.ts';
import type * as client from '../../client/index.ts';

/** The contract's ids are branded strings; callers use plain strings. */
type Plain<T> = T extends string & { readonly [brand: symbol]: unknown }
  ? string
  : T extends string | number | boolean | null | undefined
    ? T
    : { [Name in keyof T]: Plain<T[Name]> };

type Same<One, Other> = [Plain<One>] extends [Plain<Other>]
  ? [Plain<Other>] extends [Plain<One>]
    ? true
    : never
  : never;

/** Does not compile unless the client's types match the contract. The client declares its own, to depend on nothing. */
const same: readonly [
  Same<client.Access, Access>,
  Same<client.ChangedAccess, ChangedAccess>,
  Same<client.CheckedAccess, CheckedAccess>,
  Same<client.Change, DetailedChange>,
  // The feed does not include changes of names and e-mail addresses.
  Same<client.ChangeAction, Exclude<ApplicationChange['action'], 'user.updated'>>,
  Same<Exclude<client.ErrorCode, client.ClientErrorCode>, ErrorCode>,
] = [true, true, true, true, true, true];

test("the client's types match the contract", () => {
  expect(same).not.toContain(false);
  expect([Object.keys(errorCatalogue).length, changeActions.length].every((count) => count > 10)).toBe(true);
});
