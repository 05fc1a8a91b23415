/** `components.headers`: the headers of responses other than the content type. */
export const sharedHeaders = {
  ETag: {
    description: 'The version in quotes, for `If-Match`.',
    required: true,
    schema: { type: 'string', pattern: '^"\\d+"$' },
    example: '"3"',
  },
  RetryAfter: {
    description: 'Seconds to wait before trying again.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
    example: 1,
  },
  RetryAfterLimit: {
    description: 'Seconds to wait before trying again; API Gateway does not send it.',
    required: false,
    schema: { type: 'integer', minimum: 0 },
    example: 3,
  },
  RequestNonce: {
    description:
      'The `nonce` of the signed request that this answers: [accept no other answer](/docs/signing#the-answer). Only in the Service API, and for a nonce without spaces, quotes and backslashes.',
    required: false,
    schema: { type: 'string', minLength: 16, maxLength: 64 },
    example: 'b7f1c2d9e0a84f36',
  },
  RateLimitPolicy: {
    description: "The application's limit: requests (`q`) in a window of `w` seconds. API Gateway does not send it.",
    required: false,
    schema: { type: 'string' },
    example: '"app";q=1000;w=5',
  },
  RateLimit: {
    description: 'Requests left (`r`) within the next `t` seconds. API Gateway does not send it.',
    required: false,
    schema: { type: 'string' },
    example: '"app";r=0;t=3',
  },
} as const;

/** Headers of a response by their names, each a shared one. */
export function headersOf(names: Readonly<Record<string, keyof typeof sharedHeaders | undefined>>): object | undefined {
  const given = Object.entries(names).filter(([, shared]) => shared !== undefined);
  if (given.length === 0) return undefined;
  return Object.fromEntries(given.map(([name, shared]) => [name, { $ref: `#/components/headers/${shared}` }]));
}
