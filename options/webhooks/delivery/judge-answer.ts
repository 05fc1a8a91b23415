import * as v from 'valibot';
import type { WebhookFormat } from '../contract/webhook-formats.ts';
import type { ReceiverAnswer } from './post-safely.ts';

/** What follows from an answer. */
export type Judgement =
  | { readonly kind: 'delivered' }
  /** Retry, after this many seconds at the earliest; 0 if the receiver set no time. */
  | { readonly kind: 'failed'; readonly error: string; readonly retryAfterSeconds: number }
  /** Do not retry. */
  | { readonly kind: 'refused'; readonly error: string }
  /** The receiver wants nothing any more. */
  | { readonly kind: 'gone'; readonly error: string };

const maxRetryAfterSeconds = 86_400;

/**
 * Any 2xx is success; 410 means that the receiver is gone; a 400 to a Security Event Token is final (RFC 8935 section 2.4);
 * everything else, redirects among it, is tried again.
 */
export function judgeAnswer(format: WebhookFormat, answer: ReceiverAnswer, at: Date): Judgement {
  const { status } = answer;
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 410) return { kind: 'gone', error: 'the receiver answered 410' };
  if (format === 'set' && status === 400) return { kind: 'refused', error: refusalIn(answer) };
  const error =
    status >= 300 && status < 400 ? `redirects are not followed (${status})` : `the receiver answered ${status}`;
  return { kind: 'failed', error, retryAfterSeconds: secondsIn(answer.retryAfter, at) };
}

const refusalSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ err: v.pipe(v.string(), v.regex(/^[\w.-]{1,60}$/)) }),
);

/** The code of a refusal (RFC 8935 section 2.3), not its text, which could contain anything. */
function refusalIn({ body }: ReceiverAnswer): string {
  const { success, output } = v.safeParse(refusalSchema, body);
  return success ? `the receiver refused the event: ${output.err}` : 'the receiver refused the event';
}

/** Seconds or a date (RFC 9110 section 10.2.3), at most a day. */
function secondsIn(retryAfter: string | undefined, at: Date): number {
  if (retryAfter === undefined) return 0;
  const seconds = /^\d{1,9}$/.test(retryAfter)
    ? Number(retryAfter)
    : Math.ceil((Date.parse(retryAfter) - at.getTime()) / 1000);
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), maxRetryAfterSeconds);
}
