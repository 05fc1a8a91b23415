import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { matchesFilter, readEventSources } from '../../local/read-event-source.ts';
import { openTemplate } from '../../local/template-resources.ts';

const names = { tableName: 'local-table' };
const assembly = process.env.TEST_ASSEMBLY ?? '';
const [file = ''] = readdirSync(assembly).filter((name) => name.endsWith('.template.json'));
const template = JSON.parse(readFileSync(join(assembly, file), 'utf8'));
const [mappingId = '', mapping] = Object.entries<{ Type: string; Properties: object }>(template.Resources).find(
  ([, { Type }]) => Type === 'AWS::Lambda::EventSourceMapping',
) ?? ['', { Type: '', Properties: {} }];

const readWith = (resources: object) =>
  readEventSources(openTemplate({ Resources: { ...template.Resources, ...resources } }, names));
const readChanged = (properties: object) =>
  readWith({ [mappingId]: { ...mapping, Properties: { ...mapping.Properties, ...properties } } });

describe('the event source mappings', () => {
  test('are read from the stack', () => {
    const sources = readWith({});
    const names = sources.map(({ functionId }) => template.Resources[functionId].Properties.Description);
    expect(names.sort()).toEqual(['auth-service: number-changes', 'auth-service: publish-changes']);
    const inserted = (prefix: string) => ({
      eventName: ['INSERT'],
      dynamodb: { Keys: { sk: { S: [{ prefix }] } } },
    });
    for (const { functionId, ...source } of sources) {
      const isNumbering = template.Resources[functionId].Properties.Description.endsWith('number-changes');
      const filters = [inserted('CHANGE#'), ...(isNumbering ? [inserted('REQUEST#')] : [])];
      expect(source).toEqual({ batchSize: 100, maxAgeSeconds: 86_400, filters });
    }
  });

  test('can be any number', () => {
    expect(readWith({ [mappingId]: { Type: 'AWS::CDK::Metadata' } })).toHaveLength(1);
    expect(readWith({ Third: mapping })).toHaveLength(3);
  });

  test.each([
    ['BisectBatchOnFunctionError', { BisectBatchOnFunctionError: false }],
    ['FunctionResponseTypes', { FunctionResponseTypes: [] }],
    ['StartingPosition', { StartingPosition: 'LATEST' }],
    ['FilterCriteria', { FilterCriteria: { Filters: [{ Pattern: '{"a":[{"numeric":[">",1]}]}' }] } }],
  ])('must be supported by the poller: %s', (name, properties) => {
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
  ])('%j matches the record: %p', (pattern, expected) => {
    expect(matchesFilter(record, pattern)).toBe(expected);
  });
});
