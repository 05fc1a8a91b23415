import { describe, expect, test } from '@jest/globals';
import { awkwardUserIds } from '../support/awkward-user-ids.ts';
import { describeService } from '../support/describe-service.ts';
import { independentSigners, withDigest } from '../support/independent-signers.ts';
import { freshNonce, send } from '../support/send-request.ts';

const service = describeService();

const json = { 'content-type': 'application/json' };
const requests = (segment: string) => [
  { method: 'GET', target: `/api/service/users/${segment}/access`, headers: {} },
  { method: 'PUT', target: `/api/service/users/${segment}/access`, headers: json, body: '{"status":"disabled"}' },
  { method: 'POST', target: `/api/service/roles/${segment}/assign`, headers: json, body: '{"role":"editor"}' },
  { method: 'DELETE', target: `/api/service/users/${segment}/revoke`, headers: json, body: '{"role":"editor"}' },
  { method: 'DELETE', target: `/api/service/users/${segment}/revoke?role=viewer`, headers: {} },
];

describe.each(Object.keys(independentSigners))('the running service accepts signatures of %s', (library) => {
  test.each(['ada', ...awkwardUserIds])(`accepts requests for the user %s signed by ${library}`, async (userId) => {
    for (const { target, ...request } of requests(encodeURIComponent(userId))) {
      const toSign = withDigest({ ...request, url: service.url + target });
      const key = { ...service.billingKey, nonce: freshNonce(), created: Math.floor(Date.now() / 1000) };
      const added = await independentSigners[library]?.(toSign, key);
      const headers = { ...toSign.headers, ...added } as Record<string, string>;
      const answer = await send(service.url, { ...request, body: request.body, target, headers });
      expect([request.method, answer.status, answer.body.userId]).toEqual([request.method, 200, userId]);
    }
  });
});
