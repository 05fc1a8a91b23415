import { AnswerTimeout, type ManagementError } from '#client/management/management-error.ts';
import { describeFieldErrors } from '#shared/contract/field-words.ts';
import type { FieldError } from '#shared/contract/problems.ts';
import { CliError, exitCodes, notSent } from '../terminal/cli-error.ts';
import { localName } from './deployments.ts';
import type { Service } from './find-service.ts';

/** The failed call. */
interface FailedCall {
  readonly service: Service;
  /** Whether the same command can be run again, even if the request took effect. */
  readonly isRepeatable: boolean;
}

/** The error to show for a failed call of the Management API. */
export function describeFailure(error: ManagementError, { service, isRepeatable }: FailedCall): CliError {
  const unknown = isRepeatable ? [] : ['The request may have taken effect: check before you retry.'];
  const { code, detail, status, isSent, cause } = error;
  if (code === 'no_answer') {
    return new CliError(`Could not reach ${service.url}: ${detail}`, {
      exitCode: exitCodes.unavailable,
      notes: [...(isSent ? unknown : []), ...adviceOf(cause, service)],
      cause,
    });
  }
  if (status === undefined) return notSent(detail);
  if (status < 300)
    return new CliError(`${service.url} answered ${status} with a body that is not JSON. Check the URL.`);
  return describeRefusal(error, status >= 500 ? unknown : []);
}

/** What to check if there was no answer. */
function adviceOf(cause: unknown, { name }: Service): string[] {
  if (cause instanceof AnswerTimeout)
    return ['Check that the service runs, and the VPN or proxy in between. To wait longer, add: --timeout 120'];
  const { code } = ((cause as Error | undefined)?.cause ?? {}) as NodeJS.ErrnoException;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return ['Check the URL, and that this machine can resolve names.'];
  if (code !== 'ECONNREFUSED') return ['Check the network between this machine and the service.'];
  return [name === localName ? 'The local service has stopped. Start it with: npm start' : 'Check the URL.'];
}

/** A problem document of the service, or an error of AWS or a proxy in front. */
function describeRefusal({ detail, code, problem, ...error }: ManagementError, notes: readonly string[]): CliError {
  const { status = 0, requestId } = error;
  const { title, errors = [] } = (problem ?? {}) as {
    readonly title?: string;
    readonly errors?: readonly FieldError[];
  };
  const isInvalid = code === 'invalid_request' && errors.length > 0;
  const sentence = isInvalid ? describeFieldErrors(errors).join(' ') : detail;
  const text = problem === undefined ? sentence : `${sentence} (${code})`;
  return new CliError(text, {
    exitCode: exitCodeOf(status),
    problem: {
      ...(problem && { code: code as 'internal', detail }),
      ...(title && { title }),
      status,
      ...(requestId && { requestId }),
      ...(errors.length > 0 && { errors: [...errors] }),
    },
    notes: [
      ...(isInvalid ? [] : describeFieldErrors(errors)),
      ...(problem === undefined && status === 403 ? [signingHint] : []),
      ...(code === 'user_not_found' ? ['"users find" finds users by names, e-mail addresses and ids.'] : []),
      ...(code.endsWith('_in_use') ? ['Add --force to delete it anyway.'] : []),
      ...notes,
      ...(requestId === undefined ? [] : [`request id: ${requestId}`]),
    ],
  });
}

const signingHint =
  'Check the credentials, the region and the clock; the caller needs lambda:InvokeFunctionUrl on the function.';

function exitCodeOf(status: number): number {
  if (status === 404) return exitCodes.notFound;
  return [429, 502, 503, 504].includes(status) ? exitCodes.unavailable : exitCodes.refused;
}
