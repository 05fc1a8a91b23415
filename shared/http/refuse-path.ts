import type { ServiceError } from '#shared/core/errors.ts';
import type { HttpEvent, HttpResult } from './http-event.ts';

/** The response of an option to a path that does not exist, in a format of its own; undefined for a path that is not its own. */
export type RefusePath = (error: ServiceError, event: Pick<HttpEvent, 'requestContext'>) => HttpResult | undefined;
