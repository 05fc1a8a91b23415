/** Checked by `tsc` and never run: an input that a function does not read does not compile, however it is passed on. */
import * as v from 'valibot';
import { getSnapshotOperation } from '#shared/contract/access-snapshot.ts';
import { readSnapshot } from '#shared/domain/access/read-snapshot.ts';
import { listAllKeys } from '#shared/domain/api-key/list-all-keys.ts';
import { findUsers } from '#shared/domain/user/find-users.ts';
import { listUsersByRole } from '#shared/domain/user/role-holders.ts';
import { listUsers } from '#shared/domain/user/users.ts';
import { exactly } from '#shared/http/exactly.ts';
import { serviceEndpoint } from '#shared/http/service/service-endpoint.ts';

declare const page: { readonly limit: number; readonly cursor?: string | undefined; readonly status?: 'active' };
declare const filtered: typeof page & { readonly createdAfter?: string | undefined };
declare const audited: typeof page & { readonly reason?: string | null; readonly ticket?: string | null };

// Each list of users, with the rest of the query: as it is, then with a filter that only its record has.
exactly(listUsers)({ prefix: '', ...page });
// @ts-expect-error a filter that this reader ignores
exactly(listUsers)({ prefix: '', ...filtered });
exactly(listUsersByRole)({ prefix: '', hasRole: true, ...page });
// @ts-expect-error a filter that this reader ignores
exactly(listUsersByRole)({ prefix: '', hasRole: true, ...filtered });
exactly(findUsers)({ q: 'ada', ...page });
// @ts-expect-error a filter that this reader ignores
exactly(findUsers)({ q: 'ada', ...filtered });
// @ts-expect-error a whole query that is passed on
exactly(listUsers)(filtered);
// @ts-expect-error a member that the reader needs
exactly(findUsers)({ ...page });

// Without the check, the same compiles.
listUsers({ prefix: '', ...filtered });

// The endpoint itself reads the reason and the ticket.
exactly(listUsers)({ prefix: '', ...audited });

declare const state: { readonly state?: 'active' };
declare const other: typeof state & { readonly owner?: string };
exactly(listAllKeys)({ limit: 1, cursor: undefined, filter: state, limitedTo: undefined });
// @ts-expect-error a filter that this reader ignores, in an object of its request
exactly(listAllKeys)({ limit: 1, cursor: undefined, filter: other, limitedTo: undefined });

serviceEndpoint(getSnapshotOperation, readSnapshot);
const entries = { ...getSnapshotOperation.query.entries, since: v.optional(v.string()) };
const withFilter = { ...getSnapshotOperation, query: v.strictObject(entries) };
// @ts-expect-error a parameter of the record that this reader ignores
serviceEndpoint(withFilter, readSnapshot);
