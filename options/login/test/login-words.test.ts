import { expect, test } from '@jest/globals';
import { describeMfa, discoveryUrlOf } from '../contract/login-words.ts';
import { linesOf } from '../dashboard/uri-lines.ts';

test('the discovery URL is below the issuer', () => {
  expect(discoveryUrlOf('https://login.example.com/pool')).toBe(
    'https://login.example.com/pool/.well-known/openid-configuration',
  );
});

test('second factors are named in words, and an unknown one by its name', () => {
  expect(describeMfa(['SOFTWARE_TOKEN_MFA', 'NEW_MFA'])).toBe('authenticator app, NEW_MFA');
  expect(describeMfa([])).toBe('none');
});

test('addresses are read from lines, without spaces around them and without empty lines', () => {
  expect(linesOf(' https://a.example.com/ \n\nhttps://b.example.com/\r\n')).toEqual([
    'https://a.example.com/',
    'https://b.example.com/',
  ]);
});
