import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { logoutUrisSchema, redirectUrisSchema } from '../contract/redirect-uri.ts';

test.each([
  'https://app.example.com/callback',
  'https://app.example.com:8443/callback?tenant=1',
  'http://localhost:3000/',
  'http://127.0.0.1:3004/callback',
  'http://[::1]:3004/callback',
  'http://localhost',
  'com.example.app:/callback',
  'com.example.app://callback',
])('accepts %s', (uri) => {
  expect(v.safeParse(redirectUrisSchema, [uri]).success).toBe(true);
});

test.each([
  'http://app.example.com/callback',
  'http://localhost.example.com/',
  'http://127.0.0.1.example.com/',
  'https://user:secret@app.example.com/',
  'https://app.example.com/#fragment',
  'https://*.example.com/callback',
  'https:app.example.com',
  'https://app.example.com/a b',
  'https:\\\\app.example.com/',
  'javascript:alert(1)',
  'data:text/html,x',
  'myapp://callback',
  '/callback',
  '',
  `https://app.example.com/${'a'.repeat(512)}`,
])('refuses %s', (uri) => {
  expect(v.safeParse(redirectUrisSchema, [uri]).success).toBe(false);
});

test('a list has from one to twenty addresses, each once; a logout may have none', () => {
  const uris = Array.from({ length: 21 }, (_, n) => `https://app.example.com/${n}`);
  expect(v.parse(redirectUrisSchema, [...uris.slice(1), ...uris.slice(1, 2)].slice(0, 20))).toHaveLength(20);
  expect(v.parse(redirectUrisSchema, [uris[0], uris[0]])).toEqual([uris[0]]);
  expect(v.safeParse(redirectUrisSchema, uris).success).toBe(false);
  expect(v.safeParse(redirectUrisSchema, []).success).toBe(false);
  expect([v.parse(logoutUrisSchema, []), v.parse(logoutUrisSchema, undefined)]).toEqual([[], []]);
});
