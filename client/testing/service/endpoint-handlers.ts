import type { HttpHandler } from '#shared/http/http-event.ts';

/** The handlers in `functions/` by operation. The build writes them in (`client/build/bundle-service.ts`). */
export const endpointHandlers: Readonly<Record<string, HttpHandler>> = {};
