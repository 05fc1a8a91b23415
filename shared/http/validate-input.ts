import type { MiddlewareObj } from '@middy/core';
import * as v from 'valibot';
import type { FieldError } from '#shared/contract/error-codes.ts';
import { userIdSchema } from '#shared/contract/ids.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { readIfMatch } from './read-if-match.ts';
import type { ServiceEvent, ServiceInput } from './service-event.ts';

/** A schema of what an endpoint takes as its body. */
export type BodySchema<Body> = v.GenericSchema<unknown, Body>;

/** How an endpoint finds its body; most take the JSON body as it is. */
export type BodySource = (event: ServiceEvent) => { readonly pointerPrefix: string; readonly value: unknown };

/** Refuses input that does not fit, naming every field at once; what follows can trust its types. */
export function validateInput<Body>(schema: BodySchema<Body>, source: BodySource): MiddlewareObj<ServiceEvent> {
  return {
    before: ({ event }) => {
      const { signed } = event;
      if (signed === undefined) throw new Error('The signature comes first');
      const { pointerPrefix, value } = source(event);
      const userId = v.safeParse(userIdSchema, signed.userIdInPath);
      const body = v.safeParse(schema, value);
      const errors = [
        ...(userId.issues ?? []).map(({ message }) => ({ pointer: 'path:userId', detail: message })),
        ...(body.issues ?? []).map((issue) => fieldError(issue, pointerPrefix)),
      ];
      if (!userId.success || !body.success) throw invalid(errors);
      const { appId } = signed;
      const ifMatch = readIfMatch(event.headers['if-match']);
      event.input = { userId: userId.output, appId, body: body.output, ifMatch } satisfies ServiceInput<Body>;
    },
  };
}

function invalid(errors: readonly FieldError[]): ServiceError {
  const detail = errors.map((error) => `${error.pointer} ${error.detail}`).join('; ');
  return new ServiceError('invalid_request', { detail, errors });
}

function fieldError(issue: v.BaseIssue<unknown>, pointerPrefix: string): FieldError {
  const path = (issue.path ?? []).map(({ key }) => escapeToken(String(key)));
  return { pointer: [pointerPrefix, ...path].join(pointerPrefix === '#' ? '/' : ''), detail: detailOf(issue) };
}

function detailOf(issue: v.BaseIssue<unknown>): string {
  if (issue.type !== 'strict_object') return issue.received === 'undefined' ? 'is required' : issue.message;
  if (issue.expected === 'never') return 'is not known here';
  return issue.path === undefined ? 'must be a JSON object' : 'is required';
}

/** RFC 6901 section 3. */
function escapeToken(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
