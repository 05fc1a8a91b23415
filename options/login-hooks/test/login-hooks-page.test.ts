import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { standInForHydra, type TokenAnswer } from '#test/support/hydra-stand-in.ts';
import { manageClient } from '#test/support/manage-client.ts';
import { readDocument } from '#test/support/run-document.ts';
import { startSources, type TestService } from '#test/support/start-service.ts';

const page = await readDocument('docs/integrate/logins.md');
const [okta, hydra] = [page.section('## Okta'), page.section('## Ory Hydra')];

let service: TestService;
const manage = manageClient(() => service);
beforeAll(async () => {
  service = await startSources();
});
afterAll(() => service.stop());

describe('the set-up of the page', () => {
  test('registers the hook in Okta with the header that the service reads', () => {
    const [command = ''] = okta.blocks('sh');
    const [, body = ''] = /-d '(.*)'/s.exec(command) ?? [];
    expect(JSON.parse(body)).toMatchObject({
      type: 'com.okta.oauth2.tokens.transform',
      channel: {
        config: {
          uri: 'https://api.example.com/hooks/okta',
          authScheme: { type: 'HEADER', key: 'Authorization', value: 'Bearer svt_…' },
        },
      },
    });
  });
});

/** A value of the page's configuration of Hydra. */
function configured(name: string): string {
  const [, value = ''] = new RegExp(`^ +${name}: (.*)$`, 'm').exec(hydra.blocks('yaml')[0] ?? '') ?? [];
  return value;
}

function requireTokens(answer: TokenAnswer) {
  if ('error' in answer) throw new Error(`No tokens: ${answer.error}`);
  return answer;
}

describe.each(['header', 'cookie'] as const)(
  'a login server that asks as Hydra does, with the token in a %s',
  (place) => {
    const connectionId = `hydra-${place}`;
    let token: string;
    beforeAll(async () => {
      const applications = ['billing', 'wiki'];
      const connection = { connectionId, kind: 'evaluate', name: 'Hydra', applications };
      expect((await manage('iam', 'POST', '/connections', { body: connection })).status).toBe(201);
      ({ token } = (await manage('iam', 'POST', `/connections/${connectionId}/keys`)).body);
    });

    const start = (url = configured('url').replace('https://api.example.com', service.url)) => {
      const header = { name: configured('name'), value: configured('value').replace('svt_…', token) };
      const auth = place === 'header' ? header : { name: 'token', value: token };
      return standInForHydra({ url, in: place, ...auth });
    };

    test('issues tokens with the roles, and none at the refresh once the user is blocked or inactive', async () => {
      await manage('iam', 'PUT', '/users/ada/roles/wiki/editor', { body: {} });
      const server = start();
      const first = requireTokens(await server.logIn('wiki', 'ada', { tenant: 't1' }));
      expect([first.access, first.id]).toEqual([{ tenant: 't1', app_roles: ['editor'] }, { app_roles: ['editor'] }]);
      const second = requireTokens(await server.refresh(first.refreshToken));
      expect(second.access).toEqual(first.access);

      const setAccess = (status: string) => manage('iam', 'PUT', '/users/ada/access/wiki', { body: { status } });
      expect((await setAccess('disabled')).status).toBe(200);
      expect(await server.refresh(second.refreshToken)).toEqual({ error: 'access_denied' });
      expect(await server.logIn('wiki', 'ada')).toEqual({ error: 'access_denied' });
      requireTokens(await server.logIn('billing', 'ada'));
      await setAccess('enabled');
      const third = requireTokens(await server.refresh(second.refreshToken));

      const setStatus = (status: string) => manage('iam', 'PUT', '/users/ada/status', { body: { status } });
      expect((await setStatus('inactive')).status).toBe(200);
      expect(await server.refresh(third.refreshToken)).toEqual({ error: 'access_denied' });
      expect(await server.logIn('billing', 'ada')).toEqual({ error: 'access_denied' });
      await setStatus('active');
    });

    test('issues none while the service cannot be reached, and after the token was revoked', async () => {
      expect(await start('http://127.0.0.1:9/hooks/hydra').logIn('wiki', 'ada')).toEqual({ error: 'server_error' });
      const server = start();
      const { refreshToken } = requireTokens(await server.logIn('wiki', 'ada'));
      const { keys } = (await manage('iam', 'GET', `/connections/${connectionId}`)).body;
      for (const { keyId } of keys) await manage('iam', 'DELETE', `/connections/${connectionId}/keys/${keyId}`);
      expect(await server.refresh(refreshToken)).toEqual({ error: 'server_error' });
    });
  },
);
