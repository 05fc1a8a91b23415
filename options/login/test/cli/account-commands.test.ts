import { describe, expect, test } from '@jest/globals';
import { describeStub } from '#test/cli/describe-stub.ts';
import { runHere } from '#test/cli/run-here.ts';
import { testRequests } from '#test/cli/sent-request.ts';
import { exampleAccount } from '../login-views.ts';

const invited = { ...exampleAccount, state: 'pending', mfa: [], changed: true };
const withoutAddress = 'The user has no e-mail address to which an invitation can be sent.';
const noLogin = 'This deployment has no login: see its setting login.';

describe('a command for accounts sends its signed request and prints the outcome', () => {
  testRequests([
    ['accounts invite ada', 'POST /users/ada/invitation', {}, invited, 'The invitation is sent within seconds, unless'],
    [
      'accounts invite ada',
      'POST /users/ada/invitation',
      {},
      { ...invited, error: withoutAddress },
      `Recorded, but no invitation is sent yet. ${withoutAddress}`,
    ],
    [
      'accounts invite ada',
      'POST /users/ada/invitation',
      {},
      { ...invited, state: 'disabled' },
      'Recorded. ada is inactive, and cannot log in until activated.',
    ],
    ['accounts show ada', 'GET /users/ada/account', {}, exampleAccount, 'account         Confirmed'],
    ['accounts show ada', 'GET /users/ada/account', {}, exampleAccount, 'second factors  authenticator app'],
    [
      'accounts show ada',
      'GET /users/ada/account',
      {},
      { ...exampleAccount, error: noLogin },
      `error           ${noLogin}`,
    ],
    [
      'accounts sign-out ada',
      'POST /users/ada/sign-out',
      {},
      invited,
      'Signed ada out everywhere. Tokens that were issued last up to five minutes.',
    ],
    [
      'accounts sign-out ada',
      'POST /users/ada/sign-out',
      {},
      { ...invited, error: noLogin },
      `Recorded, but there are no sessions to end. ${noLogin}`,
    ],
    [
      'accounts sign-out ada',
      'POST /users/ada/sign-out',
      {},
      { ...invited, state: 'none', changed: false },
      'Nothing to do: ada has no account.',
    ],
    [
      'accounts delete ada --yes',
      'DELETE /users/ada/account',
      {},
      { changed: true, complete: true },
      'Deleted the account of ada.',
    ],
  ]);
});

describe('a command for accounts', () => {
  const { stub, place } = describeStub();

  test('says where the outcome of an invitation is', async () => {
    stub.on('POST /users/ada/invitation', { body: invited });
    const { stderr } = await runHere(['accounts', 'invite', 'ada'], { cwd: place.folder });
    expect(stderr).toBe('See whether it was sent: auth-service accounts show ada\n');
  });

  test('deletes nothing without a confirmation', async () => {
    const { code, stderr } = await runHere(['accounts', 'delete', 'ada'], { cwd: place.folder });
    expect([code, stub.requests.length]).toEqual([2, 0]);
    expect(stderr).toContain('Deleting the account of ada requires a confirmation');
  });
});
