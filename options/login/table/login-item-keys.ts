import type { AppId, UserId } from '#shared/contract/fields.ts';
import type { Key, Range } from '#shared/table/key.ts';

/** The client by which the provider knows an application, and the application of a client. */
export const loginClientKey = (appId: AppId): Key => ({ pk: `LOGIN#APP#${appId}`, sk: 'CLIENT' });
export const clientApplicationKey = (clientId: string): Key => ({ pk: `LOGIN#CLIENT#${clientId}`, sk: 'APPLICATION' });

/** What the provider was last told of the account of a user. */
export const accountCopyKey = (userId: UserId): Key => ({ pk: `LOGIN#USER#${userId}`, sk: 'COPY' });

/** What the provider is still to be told of: one partition, so that one query finds everything that waits. */
export const accountTaskKey = (userId: UserId): Key => ({ pk: 'LOGINS', sk: `USER#${userId}` });
export const clientTaskKey = (appId: AppId): Key => ({ pk: 'LOGINS', sk: `APP#${appId}` });
export const loginTasksRange = (): Range => ({ pk: 'LOGINS' });
