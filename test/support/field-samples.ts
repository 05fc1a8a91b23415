import * as v from 'valibot';
import { fromNow } from './timestamps.ts';

const anHourAhead = fromNow(3_600_000);

/** A value for each of a resource's fields: its name, an instant in an hour, an e-mail address, a number, who must give a reason, an attribute, who is taken over, a URL, or yes. */
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
      true,
    ];
    const sample = values.find((value) => v.is(input, value));
    if (sample === undefined) throw new Error(`Add a value for ${name}`);
    return [name, sample] as const;
  });
  return Object.fromEntries(samples);
}
