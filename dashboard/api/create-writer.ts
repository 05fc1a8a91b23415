import type { ManageAnswers } from '#shared/contract/operations.ts';
import type { Api, ApiInput, WriteName } from './create-api.ts';
import { isUnanswered } from './problem-error.ts';

/** Sends writes to the Management API. */
export type Writer = Api<WriteName>;

interface SentAction {
  readonly request: string;
  readonly idempotencyKey: string;
  /** The response, while it is awaited. */
  pending?: Promise<unknown> | undefined;
}

/**
 * Sends the writes of one form or switch after validating their input, each action under one `Idempotency-Key`. Retrying the
 * same request after a failure with an unknown outcome is the same action, so it takes effect once; one that is still in flight
 * is not sent again. A different request is a new action, and so is the same one after a response: the service would replay that
 * response for a day.
 */
export function createWriter(api: Api): Writer {
  let latest: SentAction | undefined;
  return async (name, input) => {
    const request = await checkedRequest(name, input);
    const action: SentAction = latest?.request === request ? latest : { request, idempotencyKey: crypto.randomUUID() };
    latest = action;
    action.pending ??= api(name, { ...input, idempotencyKey: action.idempotencyKey });
    try {
      const answer = (await action.pending) as ManageAnswers[typeof name];
      end(action);
      return answer;
    } catch (error) {
      action.pending = undefined;
      if (!isUnanswered(error as Error)) end(action);
      throw error;
    }
  };
  function end(action: SentAction): void {
    if (latest === action) latest = undefined;
  }
}

/**
 * Sends the writes of an action that takes several requests. Each keeps its key unless it is refused, so retrying the whole action
 * repeats the requests that took effect: the service answers them as it did, and does the rest.
 */
export function createSequenceWriter(api: Api): Writer {
  const keys = new Map<string, string>();
  return async (name, input) => {
    const request = await checkedRequest(name, input);
    const idempotencyKey = keys.get(request) ?? crypto.randomUUID();
    keys.set(request, idempotencyKey);
    try {
      return await api(name, { ...input, idempotencyKey });
    } catch (error) {
      if (!isUnanswered(error as Error)) keys.delete(request);
      throw error;
    }
  };
}

/** Validates the input of a write, and returns what distinguishes its request from others. */
async function checkedRequest<Name extends WriteName>(name: Name, input: ApiInput<Name>): Promise<string> {
  const { path, query, body, ifMatch } = input;
  // The schemas of all operations, which no page needs before its first write.
  const { checkInput } = await import('./check-input.ts');
  checkInput(name, input);
  return JSON.stringify([name, path, query, body, ifMatch]);
}
