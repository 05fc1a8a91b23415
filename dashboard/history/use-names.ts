import { createNameFinder, type FindNames } from '#shared/csv/known-names.ts';
import { useApi, useNewWriter } from '../session/dashboard-context.ts';

/** Creates finders of the names for an export, which stop when the signal is aborted. */
export function useNameFinder(): (signal: AbortSignal) => FindNames {
  const api = useApi();
  const newWriter = useNewWriter();
  return (signal) =>
    createNameFinder({
      resolveUsers: async (names) =>
        (await newWriter()('resolve-users', { body: { names: [...names] }, signal })).items,
      listApplications: (cursor) => api('list-applications', { query: { limit: '100', cursor }, signal }),
    });
}
