/**
 * Whether an event matches an EventBridge pattern. Supports what this project's rules use: values, `prefix`, `wildcard`
 * and `anything-but` of a text, and objects in lists.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
 */
export function matchesPattern(pattern: unknown, event: unknown): boolean {
  if (Array.isArray(event)) return event.some((entry) => matchesPattern(pattern, entry));
  if (Array.isArray(pattern)) return pattern.some((allowed) => matchesValue(allowed, event));
  return Object.entries(Object(pattern)).every(([name, inner]) => matchesPattern(inner, Object(event)[name]));
}

function matchesValue(allowed: unknown, value: unknown): boolean {
  if (typeof allowed === 'string') return allowed === value;
  if (typeof value !== 'string') return false;
  const [[operator, operand] = []] = Object.entries(Object(allowed)) as [string, string][];
  if (operator === 'prefix') return value.startsWith(operand ?? '');
  if (operator === 'anything-but') return value !== operand;
  if (operator === 'wildcard') return new RegExp(`^${operand?.replaceAll('*', '.*')}$`).test(value);
  throw new Error(`The operator ${operator} is not supported`);
}
