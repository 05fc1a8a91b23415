import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { describeStub } from '#test/cli/describe-stub.ts';
import { runHere } from '#test/cli/run-here.ts';
import { testRequests } from '#test/cli/sent-request.ts';
import { problem } from '#test/cli/stub-service.ts';
import { exampleLogin } from '../login-views.ts';

const uri = 'https://billing.example.com/callback';
const set = { ...exampleLogin, changed: true };
const route = '/applications/billing/login';
const none = { ...exampleLogin, enabled: false, clientType: null, redirectUris: [], clientId: null };

describe('a command for logins sends its signed request and prints the outcome', () => {
  testRequests([
    [
      `logins set billing --redirect ${uri}`,
      `PUT ${route}`,
      { body: { clientType: 'public', redirectUris: [uri], logoutUris: [] } },
      set,
      'client id    client-1',
    ],
    [
      `logins set billing --redirect ${uri} --redirect http://localhost:8080/ --logout https://billing.example.com/ --client confidential`,
      `PUT ${route}`,
      {
        body: {
          clientType: 'confidential',
          redirectUris: [uri, 'http://localhost:8080/'],
          logoutUris: ['https://billing.example.com/'],
        },
      },
      set,
      'discovery    https://login.example.com/pool/.well-known/openid-configuration',
    ],
    [
      `logins set billing --redirect ${uri}`,
      `PUT ${route}`,
      {
        body: { clientType: 'public', redirectUris: [uri], logoutUris: [] },
        names: { [`GET ${route}`]: exampleLogin },
      },
      { ...set, clientId: null },
      'client id    client-1',
    ],
    ['logins show billing', `GET ${route}`, {}, exampleLogin, `redirect     ${uri}`],
    ['logins show billing', `GET ${route}`, {}, { ...exampleLogin, error: 'Too many.' }, 'error        Too many.'],
    ['logins show billing', `GET ${route}`, {}, none, 'The application billing has no login.'],
    [
      'logins delete billing --yes',
      `DELETE ${route}`,
      {},
      { changed: true, complete: true },
      'Deleted the login of billing.',
    ],
    [
      'logins secret billing',
      `POST ${route}/secrets`,
      {},
      { clientId: 'client-1', secret: 'shown-once' },
      'secret       shown-once',
    ],
    [
      'logins secret billing --quiet',
      `POST ${route}/secrets`,
      {},
      { clientId: 'client-1', secret: 'shown-once' },
      'shown-once',
    ],
  ]);
});

describe('a command for logins', () => {
  const { stub, place } = describeStub();
  const run = (line: string) => runHere(line.split(' '), { cwd: place.folder });

  test('says that a deployment without a login only records what is set, and does not wait', async () => {
    const error = 'This deployment has no login: see its setting login.';
    stub.on(`PUT ${route}`, { body: { ...set, issuer: null, clientId: null, error } });
    const { code, stdout, stderr } = await run(`logins set billing --redirect ${uri}`);
    expect([code, stub.requests.length]).toEqual([0, 1]);
    expect(stdout).not.toContain('error');
    expect(stderr).toBe('Recorded. It has no effect until the setting "login" of this deployment is on.\n');
  });

  test('says what it waits for while the provider has no client yet', async () => {
    stub.on(`PUT ${route}`, { body: { ...set, clientId: null } });
    stub.on(`GET ${route}`, { body: exampleLogin });
    const { stderr } = await run(`logins set billing --redirect ${uri}`);
    expect(stderr).toBe('Waiting for the provider to set up the client, up to 30 s …\n');
  });

  test('says that a change of a client that exists takes a few seconds more', async () => {
    stub.on(`PUT ${route}`, { body: set });
    const { stderr } = await run(`logins set billing --redirect ${uri}`);
    expect(stderr).toContain('The provider has the change within seconds; "logins show" says so if it refuses it.');
  });

  test('fails with what the provider refused', async () => {
    stub.on(`PUT ${route}`, { body: { ...set, clientId: null } });
    stub.on(`GET ${route}`, { body: { ...exampleLogin, clientId: null, error: 'The address is reserved.' } });
    const { code, stderr } = await run(`logins set billing --redirect ${uri}`);
    expect(code).toBe(1);
    expect(stderr).toContain('error: The provider refused the login: The address is reserved.\n');
  });

  test('writes the client id with its secret to a file', async () => {
    stub.on(`POST ${route}/secrets`, { status: 201, body: { clientId: 'client-1', secret: 'shown-once' } });
    const file = join(place.folder, 'login.json');
    const { code, stdout } = await run(`logins secret billing --out ${file}`);
    expect([code, stdout]).toEqual([0, expect.stringContaining('Wrote the login of billing and its secret to')]);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ clientId: 'client-1', secret: 'shown-once' });
    expect(stdout).not.toContain('shown-once');
  });

  test('shows why the service adds no secret', async () => {
    stub.on(`POST ${route}/secrets`, problem('invalid_request', 'A public client has no secret.'));
    const { code, stderr } = await run('logins secret billing');
    expect([code, stderr]).toEqual([1, expect.stringContaining('error: A public client has no secret.')]);
  });

  test.each([
    ['logins set billing', "required option '--redirect <uri>' not specified"],
    ['logins set billing --redirect http://billing.example.com/', 'It must be an https address'],
    [`logins set billing --redirect ${uri} --logout https://billing.example.com/#top`, 'It must be an https address'],
    [`logins set billing --redirect ${uri} --client secret`, 'Allowed choices are public, confidential.'],
    ['logins delete billing', 'Deleting the login of billing requires a confirmation'],
  ])('is refused before it is sent: %s', async (line, words) => {
    const { code, stderr } = await run(line);
    expect([code, stub.requests.length]).toEqual([2, 0]);
    expect(stderr).toContain(words);
  });
});
