import { describe, expect, test } from '@jest/globals';
import { readConformanceOptions, UsageError } from '../../client/conformance/conformance-options.ts';

const url = 'http://127.0.0.1:8080/invoices';
const valid = ['conformance', '--url', url, '--user-header', 'x-user'];

test('the defaults are those that the help names', () => {
  expect(readConformanceOptions(valid)).toEqual({
    url,
    headers: [],
    userHeader: 'x-user',
    userId: 'idp|Conformance-User',
    role: undefined,
    withinMilliseconds: 10_000,
    answerWithinMilliseconds: 15_000,
    outage: 'closed',
    port: 4010,
    json: false,
    command: [],
  });
});

test('everything can be said, and what follows -- is the command', () => {
  const login = ['--user', 'ada', '--header', 'authorization: Bearer a:b', '--header', 'cookie:c=d'];
  const more = ['--role', 'editor', '--within', '500ms', '--answer-within', '2m', '--outage', 'open', '--port', '1'];
  const command = ['npm', 'start', '--', '--url', 'x'];
  expect(readConformanceOptions(['conformance', '--url', url, ...login, ...more, '--json', '--', ...command])).toEqual({
    url,
    headers: [
      ['authorization', 'Bearer a:b'],
      ['cookie', 'c=d'],
    ],
    userHeader: undefined,
    userId: 'ada',
    role: 'editor',
    withinMilliseconds: 500,
    answerWithinMilliseconds: 120_000,
    outage: 'open',
    port: 1,
    json: true,
    command,
  });
});

test.each([[[]], [['--help']], [['conformance', '-h']], [[...valid, '--help']]])('%j asks for help', (args) => {
  expect(readConformanceOptions(args)).toBeUndefined();
});

describe('is refused, with what to change:', () => {
  test.each<[string, readonly string[], string]>([
    ['another command', ['conform', ...valid.slice(1)], 'The command is: conformance'],
    ['an unknown option', [...valid, '--roles', 'editor'], "Unknown option '--roles'"],
    ['no address', ['conformance', '--user-header', 'x-user'], '--url must be the address'],
    ['an address of another kind', [...valid, '--url', 'ftp://a/b'], '--url must be the address'],
    ['nobody who asks', ['conformance', '--url', url], 'Say who asks'],
    ['two who ask', [...valid, '--user', 'ada'], 'Say who asks'],
    ['an id that cannot be one', ['conformance', '--url', url, '--user', 'a b'], '--user must match'],
    ['a role that cannot be one', [...valid, '--role', '7'], '--role must match'],
    ['a header without a value', [...valid, '--header', 'authorization'], "--header must be 'name: value'"],
    ['a header with an invalid name', [...valid, '--header', 'a b: c'], 'The name of a header must match'],
    ['a time without a unit', [...valid, '--within', '10'], '--within must be a time'],
    ['a time that is too short', [...valid, '--answer-within', '99ms'], '--answer-within must be a time'],
    ['another outage', [...valid, '--outage', 'half'], '--outage must be closed or open'],
    ['a port that is none', [...valid, '--port', '65536'], '--port must be a number'],
    ['an empty command', [...valid, '--'], 'A command must follow --'],
  ])('%s', (_, args, message) => {
    const read = () => readConformanceOptions(args);
    expect(read).toThrow(UsageError);
    expect(read).toThrow(message);
  });
});
