import * as v from 'valibot';
import { fromNow } from './timestamps.ts';

const anHourAhead = fromNow(3_600_000);

/** A value for each of a resource's fields, of the form that it takes. */
export function sampleFields(fields: Readonly<Record<string, { readonly input: v.GenericSchema }>>) {
  const samples = Object.entries(fields).map(([name, { input }]) => {
    const values = [
      `some ${name}`,
      anHourAhead,
      `${name}@example.org`,
      7,
      'operators',
      'externalId',
      'matching',
      `https://${name}.example.org`,
      `${name}=billing`,
      true,
      'standard',
    ];
    const sample = values.find((value) => v.is(input, value));
    if (sample === undefined) throw new Error(`Add a value for ${name}`);
    return [name, sample] as const;
  });
  return Object.fromEntries(samples);
}
