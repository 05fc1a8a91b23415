import type { Api, WriteName } from './create-api.ts';
import { isUnanswered } from './problem-error.ts';

/** Sends writes to the Management API. */
export type Writer = Api<WriteName>;

/**
 * Sends the writes of one form or switch after validating their input, each action under one `Idempotency-Key`. Retrying the
 * same request after a failure with an unknown outcome is the same action, so it takes effect once. A different request is a
 * new action, and so is the same one after a response: the service would replay that response for a day.
 */
export function createWriter(api: Api): Writer {
  let latest: { readonly request: string; readonly idempotencyKey: string } | undefined;
  return async (name, input) => {
    const { path, query, body, ifMatch } = input;
    // The schemas of all operations, which no page needs before its first write.
    const { checkInput } = await import('./check-input.ts');
    checkInput(name, input);
    const request = JSON.stringify([name, path, query, body, ifMatch]);
    const action = latest?.request === request ? latest : { request, idempotencyKey: crypto.randomUUID() };
    latest = action;
    try {
      const answer = await api(name, { ...input, idempotencyKey: action.idempotencyKey });
      end(action);
      return answer;
    } catch (error) {
      if (!isUnanswered(error as Error)) end(action);
      throw error;
    }
  };
  function end(action: typeof latest): void {
    if (latest === action) latest = undefined;
  }
}
