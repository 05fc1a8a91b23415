import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findService, type ServiceOptions } from '../../cli/service/find-service.ts';

const functionUrl = 'https://abc123.lambda-url.eu-central-1.on.aws';
let empty: string;
let local: string;
let planted: string;
const run = { manageUrl: 'http://127.0.0.1:3001', region: 'local', accessKeyId: 'AKIALOCAL', secretAccessKey: 's' };
beforeAll(() => {
  [empty, local, planted] = [makeFolder(), makeFolder(), makeFolder()];
  for (const folder of [local, planted]) mkdirSync(join(folder, '.local'));
  writeFileSync(join(local, '.local/example.json'), JSON.stringify(run));
});
afterAll(() => {
  for (const folder of [empty, local, planted]) rmSync(folder, { recursive: true });
});

function find(options: ServiceOptions, env: NodeJS.ProcessEnv, folder: string) {
  return findService(options, { env, cwd: () => folder, program: 'auth-service' });
}

function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'auth-service-cli-'));
}

describe('the service is', () => {
  test('the one of --url, before AUTH_SERVICE_URL and before the local run', () => {
    const env = { AUTH_SERVICE_URL: 'https://other.example.com', AWS_REGION: 'us-east-1' };
    expect(find({ url: `${functionUrl}/` }, env, local)).toMatchObject({
      url: functionUrl,
      region: 'eu-central-1',
    });
    expect(find({}, env, local)).toMatchObject({ url: 'https://other.example.com', region: 'us-east-1' });
  });

  test('the local run with its key pair by default', async () => {
    const service = find({}, {}, local);
    expect(service).toMatchObject({ url: 'http://127.0.0.1:3001', region: 'local' });
    expect(await service.credentials()).toEqual({ accessKeyId: 'AKIALOCAL', secretAccessKey: 's' });
  });

  test('the local run of the folder in AUTH_SERVICE_LOCAL, wherever the command runs', () => {
    const found = find({}, { AUTH_SERVICE_LOCAL: join(local, '.local') }, empty);
    expect(found).toMatchObject({ url: 'http://127.0.0.1:3001', region: 'local' });
    expect(() => find({}, { AUTH_SERVICE_LOCAL: 'nothing' }, local)).toThrow('No service is configured.');
  });

  test('never a remote URL in the file of a local run', () => {
    writeFileSync(
      join(planted, '.local/example.json'),
      JSON.stringify({ ...run, manageUrl: 'https://evil.example.com' }),
    );
    expect(() => find({}, {}, planted)).toThrow('No service is configured.');
  });

  test('never a different one with the local key pair', async () => {
    const service = find({ url: functionUrl }, {}, local);
    expect(await service.credentials()).toMatchObject({ accessKeyId: 'local' });
  });
});

describe('the region is', () => {
  test('the one of --region, before the one in the host, before the environment', () => {
    const env = { AWS_REGION: 'us-east-1' };
    expect(find({ url: functionUrl, region: 'eu-west-1' }, env, empty).region).toBe('eu-west-1');
    expect(find({ url: functionUrl }, env, empty).region).toBe('eu-central-1');
    expect(find({ url: 'https://auth.example.com' }, { AWS_DEFAULT_REGION: 'us-east-2' }, empty).region).toBe(
      'us-east-2',
    );
  });
});

describe('reports what is missing or wrong when', () => {
  test.each([
    ['no service is configured', {}, 'No service is configured.'],
    [
      'nothing names a region',
      { url: 'https://auth.example.com' },
      'The region of https://auth.example.com is unknown.',
    ],
    ['the URL is invalid', { url: 'auth' }, 'The URL must be like https://'],
    ['the URL would send a secret in the clear', { url: 'http://auth.example.com' }, 'The URL must be like https://'],
    ['the URL holds a password', { url: 'https://a:b@auth.example.com' }, 'The URL must be like https://'],
    ['the URL names a page', { url: 'https://auth.example.com/docs' }, 'The URL must have no path, not /docs'],
  ])('%s', (_, options, message) => {
    expect(() => find(options, {}, empty)).toThrow(message);
  });
});
