import type { Access, ChangedAccess } from './access.ts';
import type { Change } from './change.ts';
import type { ManageRouteName, manageRoutes } from './manage-routes.ts';
import type {
  ApplicationView,
  BulkOutcome,
  Changed,
  Deletion,
  IssuedKeyView,
  KeyView,
  MemberView,
  Page,
  RoleView,
  UserAccessView,
  UserView,
} from './management.ts';

/** What each operation of the Management API answers when it succeeds. */
export interface ManageAnswers extends Record<ManageRouteName, object> {
  'create-application': ApplicationView;
  'list-applications': Page<ApplicationView>;
  'get-application': ApplicationView;
  'update-application': Changed<ApplicationView>;
  'delete-application': Deletion;
  'issue-key': IssuedKeyView;
  'list-keys': Page<KeyView>;
  'revoke-key': Changed<KeyView>;
  'rotate-key': IssuedKeyView;
  'list-roles': Page<RoleView>;
  'define-role': Changed<RoleView>;
  'get-role': RoleView;
  'delete-role': Deletion;
  'list-members': Page<MemberView>;
  'list-application-users': Page<Access>;
  'set-access-in-bulk': { readonly items: readonly BulkOutcome[] };
  'list-application-changes': Page<Change>;
  'list-users': Page<UserView>;
  'create-user': UserView;
  'get-user': UserView;
  'update-user': Changed<UserView>;
  'delete-user': Deletion;
  'set-user-status': Changed<UserView>;
  'list-user-access': Page<UserAccessView>;
  'set-user-access': ChangedAccess;
  'assign-user-role': ChangedAccess;
  'revoke-user-role': ChangedAccess;
  'list-user-changes': Page<Change>;
}

/** The names in braces of an operation's path. */
export type PathOf<Name extends ManageRouteName> = Readonly<
  Record<Braced<(typeof manageRoutes)[Name]['path']>, string>
>;
type Braced<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Braced<Rest> : never;
