import type { DescribedOperation } from './described-operations.ts';
import { withoutDefault } from './schemas.ts';

/** Operations at a glance, as a table in Markdown. */
export function tableOf(operations: readonly DescribedOperation[]): string {
  const rows = operations.map((operation) => [
    `\`${operation.name}\``,
    requestOf(operation),
    bodyOf(operation),
    answerOf(operation),
    `\`${operation.scope ?? operation.role}\``,
  ]);
  const scoped = operations.some(({ scope }) => scope !== undefined);
  const head = ['operation', 'request', 'body', 'answer', scoped ? 'scope' : 'role'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function requestOf({ method, path, query }: DescribedOperation): string {
  const names = Object.keys(query?.entries ?? {});
  const parameters = names.length === 0 ? '' : `?${names.join('&')}`;
  return `\`${method} ${path}${parameters}\``;
}

/** The members, those that may be left out with a question mark; in braces with one, the whole body may be. */
function bodyOf({ body }: DescribedOperation): string {
  if (body === undefined) return '';
  const { entries = {} } = withoutDefault(body) as { entries?: Readonly<Record<string, { type: string }>> };
  const members = Object.entries(entries).map(([name, { type }]) => (isOptional(type) ? `${name}?` : name));
  return `\`{ ${members.join(', ')} }${body.type === 'optional' ? '?' : ''}\``;
}

function answerOf({ statuses = [200] }: DescribedOperation): string {
  return [...statuses].sort().join(', ');
}

function isOptional(type: string): boolean {
  return ['optional', 'exact_optional', 'nullish'].includes(type);
}
