import { expect, test } from '@jest/globals';
import { RootConstruct } from 'constructs';
import { readSettings } from '../../lib/settings.ts';

test('by default changes stay a year, and 1000 requests a second pass, 2000 at once', () => {
  expect(readContext({})).toEqual({
    publicAuthorities: '',
    changeRetentionDays: 365,
    throttleRate: 1000,
    throttleBurst: 2000,
  });
});

test('the settings are taken from the context, as text or as numbers', () => {
  const context = {
    publicAuthorities: 'auth.example.com',
    changeRetentionDays: '30',
    throttleRate: 5,
    throttleBurst: '7',
  };
  expect(readContext(context)).toEqual({
    publicAuthorities: 'auth.example.com',
    changeRetentionDays: 30,
    throttleRate: 5,
    throttleBurst: 7,
  });
});

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
