import type { ManagementClient } from '#client/management/management-client.ts';
import type { ManagementOperations } from '#client/management/management-contract.ts';
import type { ExactInput, ManagementInput } from '#client/management/management-request.ts';
import type { OperationRequest } from '#shared/contract/operation.ts';
import type { ManageAnswers, ManageOperationName, ManageOperations } from '#shared/contract/operations.ts';

/** Compiled by `tsc`, never run: each `@ts-expect-error` stands below a call that compiles. */
export async function typedCalls({ call }: ManagementClient): Promise<void> {
  const path = { appId: 'billing', role: 'editor' };
  const user = { userId: 'ada' };

  await call('create-user', { path: user, body: { email: 'ada@example.com' } });
  // @ts-expect-error the operation has no such field
  await call('create-user', { path: user, body: { emial: 'ada@example.com' } });
  // @ts-expect-error the field is text
  await call('create-user', { path: user, body: { email: 7 } });
  const misspelt = { displayName: 'Ada', emial: 'ada@example.com' };
  // @ts-expect-error nor has a variable that is passed
  await call('create-user', { path: user, body: misspelt });

  await call('create-user', { path: user });
  // @ts-expect-error the path parameter has another name
  await call('create-user', { path: { usrId: 'ada' } });
  // @ts-expect-error a path parameter is missing
  await call('create-user', {});
  // @ts-expect-error one path parameter too many
  await call('create-user', { path: { userId: 'ada', appId: 'billing' } });

  await call('set-user-status', { path: user, body: { status: 'active' } });
  // @ts-expect-error the body is required
  await call('set-user-status', { path: user });
  // @ts-expect-error there is no such status
  await call('set-user-status', { path: user, body: { status: 'enabled' } });

  await call('list-users', { query: { limit: 5, cursor: undefined, status: 'inactive' } });
  // @ts-expect-error the operation has no such parameter
  await call('list-users', { query: { limits: 5 } });
  // @ts-expect-error there is no such status
  await call('list-users', { query: { status: 'disabled' } });
  // @ts-expect-error the parameter is text
  await call('list-users', { query: { prefix: 5 } });

  await call('delete-role', { path, query: { force: true } });
  // @ts-expect-error the parameter is true or false
  await call('delete-role', { path, query: { force: 'yes' } });
  await call('get-role', { path });
  // @ts-expect-error the operation takes no query
  await call('get-role', { path, query: { force: true } });
  // @ts-expect-error the operation takes no body
  await call('get-role', { path, body: {} });
  // @ts-expect-error a call has no such part
  await call('get-role', { path, headers: {} });
}

/** Whether a call is refused that has an unknown name in one of its parts: nothing is assignable to `undefined` or `never`. */
type Refuses<Name extends ManageOperationName, Part extends 'path' | 'query' | 'body'> = [
  ManagementInput<Name>[Part],
] extends [undefined]
  ? true
  : ExactInput<Name, { readonly [Key in Part]: { readonly unknown: string } }> extends {
        readonly [Key in Part]: { readonly unknown: never };
      }
    ? true
    : false;

type AcceptsItsOwn<Name extends ManageOperationName> =
  ManagementInput<Name> extends ExactInput<Name, ManagementInput<Name>> ? true : false;

/** Does not compile unless it is empty; the error lists the operations that fail. */
type NoOperation<Failing extends never> = Failing;
type Failing<Checks> = { [Name in keyof Checks]: Checks[Name] extends true ? never : Name }[keyof Checks];

/** Every operation, also a future one, accepts its own parts and refuses an unknown name in each of them. */
export type EveryOperation = [
  NoOperation<Failing<{ [Name in ManageOperationName]: AcceptsItsOwn<Name> }>>,
  NoOperation<Failing<{ [Name in ManageOperationName]: Refuses<Name, 'path'> }>>,
  NoOperation<Failing<{ [Name in ManageOperationName]: Refuses<Name, 'query'> }>>,
  NoOperation<Failing<{ [Name in ManageOperationName]: Refuses<Name, 'body'> }>>,
];

type Fits<One, Other> = [One] extends [Other] ? true : false;

type Requests = { [Name in ManageOperationName]: OperationRequest<ManageOperations[Name]> };

/** An optional member may be passed as undefined, which JSON leaves out. */
type Lenient<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly Lenient<Item>[]
    : {
        [Name in keyof Value]:
          | Lenient<Value[Name]>
          | (Record<never, never> extends Pick<Value, Name> ? undefined : never);
      };

type Answers = { [Name in ManageOperationName]: Fits<ManagementOperations[Name]['answer'], ManageAnswers[Name]> };
type Inputs = { [Name in ManageOperationName]: Fits<ManagementOperations[Name]['input'], Lenient<Requests[Name]>> };
type Bodies = {
  [Name in ManageOperationName]: Fits<Requests[Name]['body'], ManagementOperations[Name]['input']['body']>;
};
type Paths = {
  [Name in ManageOperationName]: Fits<Requests[Name]['path'], ManagementOperations[Name]['input']['path']>;
};
type Queries = {
  [Name in ManageOperationName]: Fits<
    keyof NonNullable<Requests[Name]['query']>,
    keyof NonNullable<ManagementOperations[Name]['input']['query']>
  >;
};

/** The client declares its own types, to depend on nothing: of each operation they match its record. */
export type EveryRecord = [
  NoOperation<Failing<Answers>>,
  NoOperation<Failing<Inputs>>,
  NoOperation<Failing<Bodies>>,
  NoOperation<Failing<Paths>>,
  NoOperation<Failing<Queries>>,
];
