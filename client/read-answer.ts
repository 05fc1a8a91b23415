import { compareBases, describeDifference, nonceHeader } from '#shared/signature/base.ts';
import { type ErrorCode, errorClasses, UnavailableError, UnexpectedAnswerError } from './client-error.ts';

/** The members of an answer's body. */
// biome-ignore lint/suspicious/noExplicitAny: an answer can be anything, and is trusted only once it is checked
export type Members = Readonly<Record<string, any>>;

/** The request of an answer: its nonce, and the text that was signed. */
export interface Asked {
  readonly nonce: string;
  readonly base: string;
}

/**
 * Returns the body of an expected 200, and throws an error for everything else. Only a response with the nonce of the request
 * comes from the service: that of a cache, a login page or a proxy has none, and does not count as a refusal either.
 */
export async function readAnswer(
  response: Response,
  { nonce, base }: Asked,
  isExpected: (body: Members) => boolean,
): Promise<Members> {
  const { status, headers } = response;
  const problem = parse(await response.text());
  const isOwn = headers.get(nonceHeader) === nonce;
  if (status === 200 && isOwn && isExpected(problem)) return problem;
  const isRefusal = isOwn && headers.get('content-type')?.startsWith('application/problem+json');
  const { code = codeWithout(status), detail, signatureBase } = isRefusal ? problem : ({} as Members);
  const difference = signatureBase ? `; ${describeDifference(compareBases(base, signatureBase))}` : '';
  throw new ((code && errorClasses[status]) || UnexpectedAnswerError)({
    code: code || 'unexpected_answer',
    detail: (detail ?? `HTTP ${status}${isOwn ? '' : ", not the service's answer to this request"}`) + difference,
    status,
    requestId: problem.requestId ?? headers.get('apigw-requestid'),
    retryAfterSeconds: readRetryAfter(headers.get('retry-after')),
    problem,
  });
}

/** Responses of API Gateway or a proxy have no code: those that can be retried get one from their status. */
function codeWithout(status: number): ErrorCode | undefined {
  if (status === 429) return 'too_many_requests';
  return errorClasses[status] === UnavailableError ? 'unavailable' : undefined;
}

/** A number of seconds or a date (RFC 9110 section 10.2.3). */
function readRetryAfter(header: string | null): number {
  const seconds = Number(header);
  return Math.max(0, seconds >= 0 ? seconds : (Date.parse(header as string) - Date.now()) / 1000) || 0;
}

function parse(text: string): Members {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
