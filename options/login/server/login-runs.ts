import { exactly } from '#shared/http/exactly.ts';
import type { ManageRuns } from '#shared/http/management/manage-run.ts';
import type { loginOperations } from '../contract/login-contract.ts';
import { deleteAccount, getAccount, inviteUser, signOutUser } from './accounts.ts';
import { addLoginSecret, deleteLogin, getLogin, setLogin } from './logins.ts';

/** The implementation of each operation for logins and accounts of the Management API. */
export const loginRuns: ManageRuns<typeof loginOperations.manage> = {
  'get-login': ({ path }) => exactly(getLogin)(path),
  'set-login': ({ path, body }, context) => exactly(setLogin)({ ...path, ...body }, context),
  'delete-login': ({ path }, context) => exactly(deleteLogin)(path, context),
  'add-login-secret': ({ path, query }, context) => exactly(addLoginSecret)({ ...path, ...query }, context),
  'get-account': ({ path }) => exactly(getAccount)(path),
  'invite-user': ({ path }, context) => exactly(inviteUser)(path, context),
  'sign-out-user': ({ path }, context) => exactly(signOutUser)(path, context),
  'delete-account': ({ path }, context) => exactly(deleteAccount)(path, context),
};
