/** `components.headers`: what answers say in headers, beside their type. */
export const sharedHeaders = {
  ETag: {
    description: 'The version in quotes, for `If-Match`.',
    required: true,
    schema: { type: 'string', pattern: '^"\\d+"$' },
    example: '"3"',
  },
  RetryAfter: {
    description: 'After how many seconds to try again.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
    example: 1,
  },
} as const;

/** Headers of a response by their names, each a shared one. */
export function headersOf(names: Readonly<Record<string, keyof typeof sharedHeaders | undefined>>): object | undefined {
  const given = Object.entries(names).filter(([, shared]) => shared !== undefined);
  if (given.length === 0) return undefined;
  return Object.fromEntries(given.map(([name, shared]) => [name, { $ref: `#/components/headers/${shared}` }]));
}
