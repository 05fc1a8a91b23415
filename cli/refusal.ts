import type { Problem } from '#shared/contract/problem.ts';
import { CliError, exitCodes } from './cli-error.ts';

/** What an answer that is no success comes down to for people: a problem document of ours, or the word of the door before it. */
export function refusal(
  { status, headers }: { readonly status: number; readonly headers: Headers },
  body: unknown,
  notes: readonly string[],
): CliError {
  const { detail, code, requestId, errors = [], Message, message } = asProblem(body);
  const door = Message ?? message;
  const id = requestId ?? headers.get('x-amzn-requestid');
  const said = detail === undefined ? outside(status, door) : `${detail}${code === undefined ? '' : ` (${code})`}`;
  return new CliError(said, {
    exitCode: exitCodeOf(status),
    notes: [
      // The detail of an invalid request often repeats its fields.
      ...errors.map(({ pointer, detail: wrong }) => `${pointer} ${wrong}`).filter((line) => !said.includes(line)),
      ...(detail === undefined && status === 403 ? [signingHint] : []),
      ...(code?.endsWith('_in_use') ? ['Here that is --force.'] : []),
      ...notes,
      ...(id === null ? [] : [`request id: ${id}`]),
    ],
  });
}

const signingHint =
  'Check the credentials, the region and the clock; they need lambda:InvokeFunctionUrl on the function.';

type Answered = Partial<Pick<Problem, 'detail' | 'code' | 'requestId' | 'errors'>> & {
  /** What a function URL writes, and what API Gateway writes. */
  readonly Message?: string;
  readonly message?: string;
};

function asProblem(body: unknown): Answered {
  return typeof body === 'object' && body !== null ? (body as Answered) : {};
}

/** Nothing that this service wrote: the guard of the function URL, a proxy, or another server. */
function outside(status: number, door: string | undefined): string {
  return door === undefined ? `The answer was ${status} without a reason.` : `The answer was ${status}: ${door}`;
}

function exitCodeOf(status: number): number {
  if (status === 404) return exitCodes.notFound;
  return [429, 502, 503, 504].includes(status) ? exitCodes.unavailable : exitCodes.refused;
}
