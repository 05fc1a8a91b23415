import type * as v from 'valibot';
import type { FieldError } from '#shared/contract/problem.ts';
import { ServiceError } from '#shared/core/errors.ts';

type Issues = readonly v.BaseIssue<unknown>[] | undefined;

/** What a schema found, as pointers: `#/a/b` into a body (RFC 6901), `path:a` and `query:a` beside it. */
export function fieldErrors(issues: Issues, prefix: '#' | 'path:' | 'query:'): FieldError[] {
  return (issues ?? []).map((issue) => {
    const keys = (issue.path ?? []).map(({ key }) => escapeToken(String(key)));
    return { pointer: prefix === '#' ? ['#', ...keys].join('/') : prefix + keys.join('/'), detail: detailOf(issue) };
  });
}

/** A request with wrong fields: 400 `invalid_request`. */
export function invalidRequest(errors: readonly FieldError[]): ServiceError {
  const detail = errors.map((error) => `${error.pointer} ${error.detail}`).join('; ');
  return new ServiceError('invalid_request', { detail, errors });
}

function detailOf(issue: v.BaseIssue<unknown>): string {
  if (issue.type !== 'strict_object') return issue.received === 'undefined' ? 'is required' : issue.message;
  if (issue.expected === 'never') return 'is not known here';
  return issue.path === undefined ? 'must be a JSON object' : 'is required';
}

function escapeToken(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
