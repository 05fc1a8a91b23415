import { invalidField } from '#shared/core/errors.ts';

/** The query's parameters; one that the endpoint does not know is refused. */
export function readQuery(rawQueryString: string, known: readonly string[]): URLSearchParams {
  const query = new URLSearchParams(rawQueryString);
  for (const name of query.keys()) {
    if (!known.includes(name)) throw invalidField(`query:${name}`, 'is not known here');
  }
  return query;
}
