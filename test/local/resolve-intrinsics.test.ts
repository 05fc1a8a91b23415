import { describe, expect, test } from '@jest/globals';
import { LocalError } from '../../local/local-error.ts';
import { type References, resolveIntrinsics } from '../../local/resolve-intrinsics.ts';

const references: References = {
  ref: (id) => (id === 'Items' ? 'table-1' : undefined),
  attribute: (id, name) => (`${id}.${name}` === 'Key.Arn' ? 'local:root' : undefined),
};
const resolved = (value: unknown) => resolveIntrinsics(value, references, 'Get.Environment');

describe('resolves', () => {
  test.each([
    ['a value that is not an intrinsic', { a: [1, 'x', null, true] }, { a: [1, 'x', null, true] }],
    ['Ref to a resource', { Ref: 'Items' }, 'table-1'],
    ['Ref to a pseudo parameter', { Ref: 'AWS::AccountId' }, '000000000000'],
    ['Fn::GetAtt', { 'Fn::GetAtt': ['Key', 'Arn'] }, 'local:root'],
    [
      'Fn::Join over other intrinsics',
      { 'Fn::Join': ['', ['k1=', { 'Fn::GetAtt': ['Key', 'Arn'] }]] },
      'k1=local:root',
    ],
    [
      'Fn::Sub',
      { 'Fn::Sub': `\${Items} in \${AWS::Region}, \${Key.Arn}, \${!Literal}` },
      `table-1 in local, local:root, \${Literal}`,
    ],
    [
      'Fn::Select of Fn::Split',
      { 'Fn::Select': [1, { 'Fn::Split': [':', { 'Fn::GetAtt': ['Key', 'Arn'] }] }] },
      'root',
    ],
    ['Fn::Sub with variables', { 'Fn::Sub': [`\${name}-\${Items}`, { name: { Ref: 'Items' } }] }, 'table-1-table-1'],
    ['intrinsics anywhere inside', { list: [{ deep: { Ref: 'Items' } }] }, { list: [{ deep: 'table-1' }] }],
  ])('%s', (_, value, expected) => {
    expect(resolved(value)).toEqual(expected);
  });
});

describe('names what is unsupported, and where', () => {
  test.each([
    [{ 'Fn::ImportValue': 'other' }, 'Fn::ImportValue'],
    [{ 'Fn::If': ['Condition', 'a', 'b'] }, 'Fn::If'],
    [{ Ref: 'Bus' }, 'Ref Bus'],
    [{ 'Fn::GetAtt': ['Queue', 'Arn'] }, 'Fn::GetAtt Queue.Arn'],
    [{ 'Fn::Sub': `x-\${Bus}` }, 'Ref Bus'],
  ])('%j', (value, name) => {
    const act = () => resolved({ Variables: { QUEUE: value } });
    expect(act).toThrow(LocalError);
    expect(act).toThrow(`${name}, which the stack uses in Get.Environment.Variables.QUEUE`);
  });
});
