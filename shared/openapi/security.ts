import { hash } from 'node:crypto';
import { manageScope } from '#shared/contract/operation.ts';
import { algorithmName, algorithms } from '#shared/signature/algorithm.ts';
import type { DescribedOperation } from './described-operations.ts';

const algorithmNames = algorithms.map((algorithm) => `\`${algorithmName(algorithm)}\``).join(' or ');
const bodyExample = '{"role":"editor"}';

/** How requests are authenticated; each operation says which schemes it accepts. */
export const securitySchemes = {
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'Signature',
    description: [
      `HTTP Message Signatures (RFC 9421) with ${algorithmNames}, keyed with the secret of an API key: \`<label>=:<base64>:\`.`,
      'The key needs the scope that the operation names.',
    ].join(' '),
  },
  signatureInput: {
    type: 'apiKey',
    in: 'header',
    name: 'Signature-Input',
    description: [
      'What the signature covers: `"@method" "@authority" "@path"`, `"@query"` if there is a query, `"content-digest"` if there is a body, `"if-match"` if it is sent;',
      "with the parameters `created` (within 300 s of the server's clock), `nonce` (16 to 64 characters, which identify the call: [to retry](/docs/signing#to-retry), keep it and sign again) and `keyid`. For example",
      '`sig=("@method" "@authority" "@path");created=1795202051;nonce="b7f1c2d9e0a84f36";keyid="svk_k1_billing_01KB3Z8Q6V0M5E7R9T1W3Y5A7C"`',
    ].join(' '),
  },
  contentDigest: {
    type: 'apiKey',
    in: 'header',
    name: 'Content-Digest',
    description: `The SHA-256 of the body as it is sent (RFC 9530), covered by the signature. Required with a body, and omitted without one; for \`${bodyExample}\` it is \`sha-256=:${hash('sha256', bodyExample, 'base64')}:\``,
  },
  token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: `An access token of the operators' OpenID Connect provider, which the stack's output \`OidcIssuer\` names, with the scope \`${manageScope}\`. For the address of the HTTP API.`,
  },
  sigV4: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    'x-amazon-apigateway-authtype': 'awsSigv4',
    description:
      'AWS Signature Version 4 for the service `lambda`, with AWS credentials that may invoke the function URL. For the address of the function URL.',
  },
} as const;

type Requirement = { readonly [Scheme in keyof typeof securitySchemes]?: readonly [] };

const signed: Requirement = { signature: [], signatureInput: [] };
const signedWithBody: Requirement = { ...signed, contentDigest: [] };

/** The alternatives of an operation. The signer adds the digest, so it is not a parameter that callers have to provide. */
export function securityOf({ scope, body }: DescribedOperation): readonly Requirement[] {
  if (scope === undefined) return [{ token: [] }, { sigV4: [] }];
  if (body === undefined) return [signed];
  return body.type === 'optional' ? [signed, signedWithBody] : [signedWithBody];
}
