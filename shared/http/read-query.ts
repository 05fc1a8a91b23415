import { invalidField } from '#shared/core/errors.ts';

/** The query's parameters; one that the endpoint does not know, or that says two things, is refused. */
export function readQuery(rawQueryString: string, known: readonly string[]): URLSearchParams {
  const query = new URLSearchParams(rawQueryString);
  for (const name of query.keys()) {
    if (!known.includes(name)) throw invalidField(`query:${name}`, 'is not known here');
    if (query.getAll(name).length > 1) throw invalidField(`query:${name}`, 'must be given once');
  }
  return query;
}
