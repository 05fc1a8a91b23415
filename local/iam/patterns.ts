/** Whether a text matches a pattern of a policy. */
export type Pattern = (text: string) => boolean;

/** Action names are case-insensitive; `*` matches any characters and `?` one (IAM user guide, "Action"). */
export function actionPattern(pattern: string): Pattern {
  return test(new RegExp(`^${wildcards(pattern, '.')}$`, 'i'));
}

/** `StringLike`: case-sensitive, over the whole text; `*` matches any characters and `?` one. */
export function textPattern(pattern: string): Pattern {
  return test(new RegExp(`^${wildcards(pattern, '.')}$`, 's'));
}

/**
 * `ArnLike`, with which `ArnEquals` is identical: each of the six parts that colons separate is compared separately
 * (IAM user guide, "Amazon Resource Name (ARN) condition operators").
 */
export function arnPattern(pattern: string): Pattern {
  const parts = arnParts(pattern).map(textPattern);
  return (text) => {
    const actual = arnParts(text);
    return actual.length === parts.length && parts.every((matches, at) => matches(actual[at] ?? ''));
  };
}

/**
 * `Resource`: wildcards stay within a part of the ARN, but a `*` at the end of a part also matches past the colon (IAM
 * user guide, "Using wildcards in resource ARNs").
 */
export function resourcePattern(pattern: string): Pattern {
  return test(new RegExp(`^${wildcards(pattern, '[^:]').replaceAll(/\[\^:\]\*(?=:|$)/g, '.*')}$`, 's'));
}

/** `arn`, partition, service, Region, account, and the resource, which may contain colons. */
function arnParts(arn: string): string[] {
  const parts = arn.split(':');
  return [...parts.slice(0, 5), ...(parts.length > 5 ? [parts.slice(5).join(':')] : [])];
}

function wildcards(pattern: string, any: string): string {
  return pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', `${any}*`)
    .replaceAll('?', any);
}

function test(expression: RegExp): Pattern {
  return (text) => expression.test(text);
}
