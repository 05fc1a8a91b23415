import { createSecretKey } from 'node:crypto';
import { pathCandidates } from '#shared/signature/path.ts';
import { signRequest } from '#shared/signature/sign.ts';
import { readSignature, type SignedMessage, verifySignature } from '#shared/signature/verify.ts';
import { atMost } from './budget.ts';
import type { BenchContext, Measurement } from './measurement.ts';
import { quartiles } from './statistics.ts';

const batches = 21;
const verificationsPerBatch = 20_000;

/** CPU time of one whole verification: path candidates, parsing, base, MAC, clock and digest of a PUT. */
export async function measureVerification({ progress }: BenchContext): Promise<Measurement> {
  progress('Verifying signatures with a cached key');
  const verify = verification();
  for (let warmUp = 0; warmUp < verificationsPerBatch; warmUp++) verify();
  const samples = Array.from({ length: batches }, () => batchMicroseconds(verify));
  const { lower, median, upper } = quartiles(samples);
  return {
    title: 'Verifying a signature',
    budgets: [atMost('signature verification, CPU', median, 10, 'µs')],
    samples: { microseconds: samples },
    report: [
      `Path candidates, parsing, base, MAC, clock and digest of a signed PUT with a remembered key: ${median.toFixed(1)} µs of CPU, the middle half of ${batches} batches of ${verificationsPerBatch.toLocaleString('en-US')} between ${lower.toFixed(1)} and ${upper.toFixed(1)} µs.`,
    ],
  };
}

function verification(): () => void {
  const { headers, body, secret, created } = signedPut();
  const key = createSecretKey(Buffer.from(secret));
  const path = {
    received: '/api/service/users/ada/access',
    prefix: '/api/service/users/',
    id: 'ada',
    suffix: '/access',
  };
  return () => {
    const message: SignedMessage = {
      method: 'PUT',
      paths: pathCandidates(path),
      authorities: ['auth.example.com'],
      query: '',
      headers,
      body,
    };
    verifySignature(message, readSignature(message), key, created);
  };
}

function batchMicroseconds(verify: () => void): number {
  const before = process.cpuUsage();
  for (let count = 0; count < verificationsPerBatch; count++) verify();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / verificationsPerBatch;
}

function signedPut() {
  const body = Buffer.from('{"status":"disabled"}');
  const secret = `svs_${'A'.repeat(43)}`;
  const created = 1_800_000_000;
  const url = 'https://auth.example.com/api/service/users/ada/access';
  const key = { keyId: 'svk_k1_billing_01JD0000000000000000000000', secret, created, nonce: 'n'.repeat(22) };
  const headers = { 'content-type': 'application/json', ...signRequest({ method: 'PUT', url, body }, key) };
  return { headers, body, secret, created };
}
