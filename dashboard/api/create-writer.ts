import { checkInput } from './check-input.ts';
import type { Api, WriteName } from './create-api.ts';
import { isUnanswered } from './problem-error.ts';

/** Sends writes to the Management API. */
export type Writer = Api<WriteName>;

/**
 * Sends the writes of one form or switch, if their records accept the input, each action under one `Idempotency-Key`. The same request again after a failure
 * that leaves its outcome open is the same action, so it takes effect once. Another request is a new action, and so is the
 * same one after an answer: the service would repeat that answer for a day.
 */
export function createWriter(api: Api): Writer {
  let latest: { readonly request: string; readonly idempotencyKey: string } | undefined;
  return async (name, input) => {
    const { path, query, body, ifMatch } = input;
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
