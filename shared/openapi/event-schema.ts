import { callerSchema, changeSchema, changeSideSchema } from '#shared/contract/change.ts';
import { describeNamed, describeSchema, type JsonSchema } from './json-schema.ts';

const options = { named: { Caller: callerSchema, ChangeSide: changeSideSchema }, base: '#/$defs/' };

/** The `detail` of every event as JSON Schema 2020-12, complete in itself. */
export function describeEvent(): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Change',
    ...describeSchema(changeSchema, options),
    $defs: describeNamed(options),
  };
}
