/** Checked by `tsc` and never run: what the dashboard's client takes, and what it refuses to compile. */
import type { Api, ReadName } from '../../dashboard/api/create-api.ts';
import type { Writer } from '../../dashboard/api/create-writer.ts';

declare const api: Api;
declare const read: Api<ReadName>;
declare const write: Writer;

// Each operation: a correct call, then a wrong one.
const userId = 'ada';
const appId = 'billing';

api('list-applications', {});
api('list-applications', { query: { limit: '10', cursor: undefined } });
// @ts-expect-error a path for an operation without path parameters
api('list-applications', { path: { appId } });
// @ts-expect-error a body for an operation without one
api('list-applications', { body: {} });

api('create-application', { body: { appId, name: 'Billing' } });
// @ts-expect-error a missing body
api('create-application', {});
// @ts-expect-error a missing field
api('create-application', { body: { appId } });
// @ts-expect-error a misspelt field
api('create-application', { body: { appId, nmae: 'Billing' } });

api('get-application', { path: { appId } });
// @ts-expect-error a missing path
api('get-application', {});
// @ts-expect-error a query for an operation without one
api('get-application', { path: { appId }, query: { limit: '10' } });

api('update-application', { path: { appId }, body: { name: 'Billing' }, ifMatch: 2 });
// @ts-expect-error a field of another operation
api('update-application', { path: { appId }, body: { name: 'Billing', appId } });

api('delete-application', { path: { appId }, query: { force: 'true' } });
// @ts-expect-error a value that is not one of the two
api('delete-application', { path: { appId }, query: { force: 'yes' } });

api('issue-key', { path: { appId }, body: { scopes: ['access:read'], expiresAt: null } });
api('issue-key', { path: { appId } });
// @ts-expect-error an unknown scope
api('issue-key', { path: { appId }, body: { scopes: ['access:reed'] } });

api('rotate-key', { path: { appId, keyId: 'svk' }, body: { overlap: 'PT1H' } });
// @ts-expect-error a number instead of a duration
api('rotate-key', { path: { appId, keyId: 'svk' }, body: { overlap: 3600 } });
// @ts-expect-error a missing path parameter
api('rotate-key', { path: { appId }, body: { overlap: 'PT1H' } });

api('revoke-key', { path: { appId, keyId: 'svk' } });
// @ts-expect-error a misspelt path parameter
api('revoke-key', { path: { appId, keyID: 'svk' } });

api('list-keys', { path: { appId }, query: { limit: '10' } });
// @ts-expect-error a misspelt query parameter
api('list-keys', { path: { appId }, query: { limt: '10' } });

api('list-roles', { path: { appId }, query: { limit: '10' } });
// @ts-expect-error a query parameter of another list
api('list-roles', { path: { appId }, query: { prefix: 'e' } });

api('get-role', { path: { appId, role: 'editor' } });
// @ts-expect-error a misspelt path parameter
api('get-role', { path: { appId, rol: 'editor' } });

api('define-role', { path: { appId, role: 'editor' }, body: { description: null } });
// @ts-expect-error a misspelt field and no other
api('define-role', { path: { appId, role: 'editor' }, body: { descripton: 'Edits' } });

api('delete-role', { path: { appId, role: 'editor' }, query: { force: 'false' } });
// @ts-expect-error a path parameter too many
api('delete-role', { path: { appId, role: 'editor', userId } });

api('list-members', { path: { appId, role: 'editor' }, query: { cursor: 'next' } });
// @ts-expect-error a query parameter of another list
api('list-members', { path: { appId, role: 'editor' }, query: { status: 'active' } });

api('list-application-users', { path: { appId }, query: { status: 'disabled' } });
// @ts-expect-error the status of a user instead of an access
api('list-application-users', { path: { appId }, query: { status: 'inactive' } });

api('list-application-changes', { path: { appId }, query: { after: '' } });
// @ts-expect-error a misspelt path parameter
api('list-application-changes', { path: { applicationId: appId } });

api('set-access-in-bulk', { path: { appId }, body: { userIds: [userId], status: 'disabled' } });
// @ts-expect-error one user instead of a list
api('set-access-in-bulk', { path: { appId }, body: { userIds: userId, status: 'disabled' } });

api('list-users', { query: { prefix: 'a', status: 'active' } });
// @ts-expect-error an unknown status
api('list-users', { query: { prefix: 'a', status: 'enabled' } });

api('create-user', { path: { userId }, body: { displayName: 'Ada', email: null } });
// @ts-expect-error a misspelt field
api('create-user', { path: { userId }, body: { displayName: 'Ada', emial: null } });

api('get-user', { path: { userId } });
// @ts-expect-error a misspelt path parameter
api('get-user', { path: { usrId: userId } });

api('update-user', { path: { userId }, body: { displayName: 'Ada' }, ifMatch: 1 });
// @ts-expect-error a misspelt field
api('update-user', { path: { userId }, body: { dispalyName: 'Ada' }, ifMatch: 1 });
// @ts-expect-error a misspelt precondition
api('update-user', { path: { userId }, body: { displayName: 'Ada' }, ifMatched: 1 });

api('delete-user', { path: { userId } });
// @ts-expect-error a body for an operation without one
api('delete-user', { path: { userId }, body: {} });

api('set-user-status', { path: { userId }, body: { status: 'inactive', reason: null } });
// @ts-expect-error the status of an access instead of a user
api('set-user-status', { path: { userId }, body: { status: 'disabled', reason: null } });

api('list-user-access', { path: { userId }, query: { limit: '100' } });
// @ts-expect-error a boolean where the query holds a number
api('list-user-access', { path: { userId }, query: { limit: true } });

api('set-user-access', { path: { userId, appId }, body: { status: 'disabled', reason: null, until: null } });
// @ts-expect-error a misspelt field
api('set-user-access', { path: { userId, appId }, body: { status: 'disabled', untill: null } });

api('assign-user-role', { path: { userId, appId, role: 'editor' }, body: { expiresAt: null } });
// @ts-expect-error a field of the Service API's operation
api('assign-user-role', { path: { userId, appId, role: 'editor' }, body: { role: 'editor' } });

api('revoke-user-role', { path: { userId, appId, role: 'editor' } });
// @ts-expect-error a missing path parameter
api('revoke-user-role', { path: { userId, appId } });

api('list-user-changes', { path: { userId }, query: { cursor: 'next' } });
// @ts-expect-error a query parameter of another list
api('list-user-changes', { path: { userId }, query: { after: '' } });

// @ts-expect-error an unknown operation
api('get-usr', { path: { userId } });

// Only a writer, which names each action by a key, takes what changes something.
read('get-user', { path: { userId } });
write('delete-user', { path: { userId } });
// @ts-expect-error a write without a writer
read('delete-user', { path: { userId } });
// @ts-expect-error a read with a key
write('get-user', { path: { userId } });

// The answer is the operation's own.
api('get-user', { path: { userId } }).then((user) => user.displayName);
// @ts-expect-error a field of another answer
api('get-user', { path: { userId } }).then((user) => user.appName);
