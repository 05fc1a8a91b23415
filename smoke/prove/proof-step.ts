import type { Stage } from '../../lib/settings/stages.ts';
import type { AwsAccount } from './aws-account.ts';

/** What a step saw: ids, states, counts and durations, never a secret. */
export type Facts = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** What a step works with. */
export interface ProofContext {
  readonly stage: Stage;
  readonly account: AwsAccount;
  /** Whether AWS_ENDPOINT_URL names something that stands in for AWS. */
  readonly isEmulated: boolean;
  /** Options of `npm run deploy` that every deployment of this run gets. */
  readonly deployOptions: readonly string[];
  /** Aborted when the step's time is up, or the run is interrupted. */
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
  /** Receives the output of commands. */
  readonly log: (text: string) => void;
}

/** One step of `npm run prove`. */
export interface ProofStep {
  readonly name: string;
  /** What it does, in the imperative. */
  readonly title: string;
  /** The assumptions that it proves, by their ids in `docs/operate/unproven.md`. */
  readonly proves: readonly string[];
  /** What it runs or calls, for the plan. */
  readonly commands: readonly string[];
  /** The observation that proves it. */
  readonly expects: string;
  readonly timeoutMinutes: number;
  /** Why its success in an emulation proves nothing. */
  readonly emulationLacks: string;
  /** Whether the run ends if it fails. */
  readonly isNeeded?: true;
  /** Throws unless everything is as expected; `NotAvailable` if that cannot be tried here. */
  readonly run: (context: ProofContext) => Promise<Facts>;
  /** Takes back what `run` created outside of the stack, also after a failure. Safe to run twice. */
  readonly cleanUp?: (context: ProofContext) => Promise<void>;
}

/** The place lacks what a step tries: neither a success nor a failure of the service. */
export class NotAvailable extends Error {
  override readonly name = 'NotAvailable';
}

interface Wait {
  readonly what: string;
  readonly minutes: number;
  /** Seconds between two probes. */
  readonly every?: number;
  /** The limit in an emulation, where everything that happens at all happens soon. */
  readonly emulatedSeconds?: number;
}

/**
 * Repeats a probe until it returns something. Throws after the given time; in an emulation, which may lack what is waited for,
 * `NotAvailable` after seconds.
 */
export async function waitFor<Found>(
  { isEmulated, signal }: Pick<ProofContext, 'isEmulated' | 'signal'>,
  { what, minutes, every = 5, emulatedSeconds = 20 }: Wait,
  probe: () => Promise<Found | undefined>,
): Promise<Found> {
  const seconds = isEmulated ? emulatedSeconds : minutes * 60;
  const end = Date.now() + seconds * 1000;
  for (;;) {
    signal.throwIfAborted();
    const found = await probe();
    if (found !== undefined) return found;
    if (Date.now() > end) throw missing(isEmulated, `${what}: not seen within ${seconds} s`);
    await new Promise<void>((resolve) => setTimeout(resolve, every * 1000));
  }
}

/** Calls an API that an emulation may lack: there its error is `NotAvailable`. */
export async function ask<Answer>(
  { isEmulated }: Pick<ProofContext, 'isEmulated'>,
  operation: string,
  call: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    throw isEmulated ? new NotAvailable(`${operation} fails${statusOf(error)}: ${firstLine(error)}`) : error;
  }
}

/** An error for something that should be there, which in an emulation says only what it lacks. */
export function missing(isEmulated: boolean, text: string): Error {
  return isEmulated ? new NotAvailable(text) : new Error(text);
}

/** Where the SDK expects JSON and gets something else, only the status says what happened. */
function statusOf(error: unknown): string {
  const status =
    Object(Object(error).$metadata ?? Object(error).$response).httpStatusCode ??
    Object(Object(error).$response).statusCode;
  return status === undefined ? '' : ` with ${status}`;
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]?.slice(0, 200) ?? '';
}
