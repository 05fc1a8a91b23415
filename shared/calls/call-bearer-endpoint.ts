import type { BearerEndpoint } from '#shared/contract/bearer-endpoint.ts';
import type { SentRequest, ServiceReply } from './call-service.ts';

/** A request to an endpoint for connections, by default with the form of a token, but of no connection. */
export function bearerRequest(
  api: string,
  { routes: [{ method, path }] }: BearerEndpoint,
  token = unknownToken,
): SentRequest {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return {
    method: method === 'ANY' ? 'GET' : method,
    url: api + path.replace('{proxy+}', 'unknown'),
    headers,
    body: undefined,
  };
}

const unknownToken = `svt_c1_canary_${'0'.repeat(26)}_${'0'.repeat(43)}`;

/** Whether a token was refused. Okta takes every status but 200 for an outage, so its hook refuses in the body. */
export function isTokenRefused({ status, body }: ServiceReply): boolean {
  return status === 401 || status === 403 || JSON.stringify(body).includes('token_invalid');
}
