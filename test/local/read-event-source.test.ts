import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { matchesFilter, readEventSource } from '../../local/read-event-source.ts';
import { openTemplate } from '../../local/template-resources.ts';

const names = { tableName: 'local-table', root: 'cm9vdA==' };
const assembly = process.env.TEST_ASSEMBLY ?? '';
const [file = ''] = readdirSync(assembly).filter((name) => name.endsWith('.template.json'));
const template = JSON.parse(readFileSync(join(assembly, file), 'utf8'));
const [mappingId = '', mapping] = Object.entries<{ Type: string; Properties: object }>(template.Resources).find(
  ([, { Type }]) => Type === 'AWS::Lambda::EventSourceMapping',
) ?? ['', { Type: '', Properties: {} }];

const readWith = (resources: object) =>
  readEventSource(openTemplate({ Resources: { ...template.Resources, ...resources } }, names));
const readChanged = (properties: object) =>
  readWith({ [mappingId]: { ...mapping, Properties: { ...mapping.Properties, ...properties } } });

describe('the event source mapping', () => {
  test('is read from the stack as it is', () => {
    const { functionId, ...source } = readWith({}) ?? {};
    expect(template.Resources[functionId ?? ''].Properties.Description).toBe('auth-service: publish-changes');
    expect(source).toEqual({
      batchSize: 100,
      maxAgeSeconds: 86_400,
      filters: [{ eventName: ['INSERT'], dynamodb: { Keys: { sk: { S: [{ prefix: 'CHANGE#' }] } } } }],
    });
  });

  test('must be the only one, if there is one', () => {
    expect(readWith({ [mappingId]: { Type: 'AWS::CDK::Metadata' } })).toBeUndefined();
    expect(() => readWith({ Second: mapping })).toThrow('supports only one event source mapping');
  });

  test.each([
    ['BisectBatchOnFunctionError', { BisectBatchOnFunctionError: false }],
    ['FunctionResponseTypes', { FunctionResponseTypes: [] }],
    ['StartingPosition', { StartingPosition: 'LATEST' }],
    ['FilterCriteria', { FilterCriteria: { Filters: [{ Pattern: '{"a":[{"numeric":[">",1]}]}' }] } }],
  ])('must be one that the poller imitates: %s', (name, properties) => {
    expect(() => readChanged(properties)).toThrow(`The local run cannot read ${mappingId}.${name}`);
  });
});

describe('a filter', () => {
  const record = { eventName: 'INSERT', dynamodb: { Keys: { sk: { S: 'CHANGE#1' } } } };

  test.each([
    [{ eventName: ['INSERT'] }, true],
    [{ eventName: ['MODIFY', 'INSERT'] }, true],
    [{ eventName: ['MODIFY'] }, false],
    [{ dynamodb: { Keys: { sk: { S: [{ prefix: 'CHANGE#' }] } } } }, true],
    [{ dynamodb: { Keys: { sk: { S: [{ prefix: 'ROLE#' }] } } } }, false],
    [{ eventName: ['INSERT'], dynamodb: { Keys: { pk: { S: [{ prefix: '' }] } } } }, false],
    [{}, true],
  ])('%j takes the record: %p', (pattern, expected) => {
    expect(matchesFilter(record, pattern)).toBe(expected);
  });
});
