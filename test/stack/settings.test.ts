import { expect, test } from '@jest/globals';
import { RootConstruct } from 'constructs';
import { readSettings } from '../../lib/settings.ts';

test("by default changes stay a year, 1000 requests a second pass, 2000 at once, and the login is the stack's own", () => {
  expect(readContext({})).toEqual({
    publicAuthorities: '',
    changeRetentionDays: 365,
    throttleRate: 1000,
    throttleBurst: 2000,
    operatorTokens: undefined,
    dashboardUrls: ['http://localhost:3000/'],
    loginDomainPrefix: undefined,
  });
});

test('the settings are taken from the context, as text or as numbers', () => {
  const context = {
    publicAuthorities: 'auth.example.com',
    changeRetentionDays: '30',
    throttleRate: 5,
    throttleBurst: '7',
    dashboardUrls: 'https://auth.example.com/, http://localhost:5173',
    loginDomainPrefix: 'billing-login',
    oidcIssuer: 'https://login.example.com/tenant/',
    oidcAudience: 'auth-service',
  };
  expect(readContext(context)).toEqual({
    publicAuthorities: 'auth.example.com',
    changeRetentionDays: 30,
    throttleRate: 5,
    throttleBurst: 7,
    dashboardUrls: ['https://auth.example.com/', 'http://localhost:5173'],
    loginDomainPrefix: 'billing-login',
    operatorTokens: { issuer: 'https://login.example.com/tenant/', audience: 'auth-service' },
  });
});

test('a setting of the login that is empty counts as absent', () => {
  const context = { dashboardUrls: '', loginDomainPrefix: ' ', oidcIssuer: '', oidcAudience: '' };
  expect(readContext(context)).toEqual(readContext({}));
});

test.each([{ oidcIssuer: 'https://login.example.com' }, { oidcAudience: 'auth-service', oidcIssuer: '' }])(
  'half an OpenID provider is refused: %j',
  (context) => {
    expect(() => readContext(context)).toThrow('oidcIssuer and oidcAudience go together: give both, or neither');
  },
);

test.each([
  'http://login.example.com',
  'login.example.com',
  'https://',
  'https://login.example.com/?tenant=1',
  'https://login.example.com/#tenant',
])('%s is no issuer', (oidcIssuer) => {
  expect(() => readContext({ oidcIssuer, oidcAudience: 'auth-service' })).toThrow(`oidcIssuer must be`);
});

test.each([
  'http://auth.example.com/',
  'http://127.0.0.1:3000/',
  'auth.example.com',
  'https://auth.example.com/#callback',
  'https://auth.example.com/,',
])('%s is no list of places that a login may return to', (dashboardUrls) => {
  expect(() => readContext({ dashboardUrls })).toThrow('dashboardUrls must hold');
});

test.each(['Billing', '-billing', 'billing-', 'billing.login', 'aws-billing', 'my-cognito', 'a'.repeat(64)])(
  "%s is no name that Cognito gives to a user pool's pages",
  (loginDomainPrefix) => {
    expect(() => readContext({ loginDomainPrefix })).toThrow('loginDomainPrefix must be');
  },
);

test.each(['changeRetentionDays', 'throttleRate', 'throttleBurst'])('%s must be a whole number above zero', (name) => {
  for (const value of ['0', '-1', '1.5', 'many', '', '1e3', 1_000_000]) {
    expect(() => readContext({ [name]: value })).toThrow(name);
  }
});

function readContext(context: Record<string, unknown>) {
  const root = new RootConstruct();
  for (const [name, value] of Object.entries(context)) root.node.setContext(name, value);
  return readSettings(root.node);
}
