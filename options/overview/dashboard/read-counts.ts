import type { Api, ReadName } from '#dashboard/api/create-api.ts';
import type { CountedState } from '#dashboard/options/option-pages.ts';

/** The counts of users and of all applications, in one request. */
export async function readCounts(api: Api<ReadName>, signal: AbortSignal): Promise<CountedState> {
  const { users, applications } = await api('get-overview', { query: { applications: 'all' }, signal });
  return { users, applications: new Map(applications.map((application) => [application.appId, application])) };
}
