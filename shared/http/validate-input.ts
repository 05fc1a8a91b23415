import type { MiddlewareObj } from '@middy/core';
import * as v from 'valibot';
import { userIdSchema } from '#shared/contract/ids.ts';
import { fieldErrors, invalidRequest } from './field-errors.ts';
import { readIfMatch } from './read-if-match.ts';
import type { ServiceEvent, ServiceInput } from './service-event.ts';

/** A schema of what an endpoint takes as its body. */
export type BodySchema<Body> = v.GenericSchema<unknown, Body>;

/** How an endpoint finds its body; most take the JSON body as it is. */
export type BodySource = (event: ServiceEvent) => { readonly pointerPrefix: '#' | 'query:'; readonly value: unknown };

const userPathSchema = v.object({ userId: userIdSchema });
const plainPathSchema = v.object({});

/** Refuses input that does not fit, naming every field at once; what follows can trust its types. */
export function validateInput<Body>(schema: BodySchema<Body>, source: BodySource): MiddlewareObj<ServiceEvent> {
  return {
    before: ({ event }) => {
      const { signed } = event;
      if (signed === undefined) throw new Error('The signature comes first');
      const { pointerPrefix, value } = source(event);
      const { appId, userIdInPath } = signed;
      const pathSchema = userIdInPath === undefined ? plainPathSchema : userPathSchema;
      const path = v.safeParse(pathSchema, { userId: userIdInPath });
      const body = v.safeParse(schema, value);
      const errors = [...fieldErrors(path.issues, 'path:'), ...fieldErrors(body.issues, pointerPrefix)];
      if (!path.success || !body.success) throw invalidRequest(errors);
      const ifMatch = readIfMatch(event.headers['if-match']);
      event.input = { ...path.output, appId, body: body.output, ifMatch } satisfies ServiceInput<Body>;
    },
  };
}
