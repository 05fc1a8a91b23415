import { invalidField } from '#shared/core/errors.ts';
import { readQuery } from './read-query.ts';
import type { BodySource } from './validate-input.ts';

/** Takes the input of a GET from these parameters of its query, each given once, and no body. */
export function inputInQuery(known: readonly string[]): BodySource {
  return ({ body, rawQueryString }) => {
    if (body !== undefined) throw invalidField('#', 'must be left out: a GET takes no body');
    const query = readQuery(rawQueryString, known);
    const repeated = known.find((name) => query.getAll(name).length > 1);
    if (repeated !== undefined) throw invalidField(`query:${repeated}`, 'must be given once');
    return { pointerPrefix: 'query:', value: Object.fromEntries(query) };
  };
}
