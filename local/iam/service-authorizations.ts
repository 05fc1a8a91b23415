import * as v from 'valibot';
import { parse } from '../template-resources.ts';
import type { Authorization } from './authorization.ts';

const generateMacSchema = v.object({ KeyId: v.pipe(v.string(), v.startsWith('arn:')), MacAlgorithm: v.string() });

/** Lists the permission for KMS GenerateMac (AWS KMS developer guide, "AWS KMS condition keys"). */
export function generateMacAuthorizations(json: unknown): Authorization[] {
  const { KeyId, MacAlgorithm } = parse(generateMacSchema, json, 'GenerateMac');
  return [{ action: 'kms:GenerateMac', resource: KeyId, context: { 'kms:MacAlgorithm': MacAlgorithm } }];
}

const putEventsSchema = v.object({ Entries: v.array(v.object({ EventBusName: v.string() })) });

/**
 * Lists the permissions for EventBridge PutEvents, one for each bus that its entries name; `arnOf` finds a bus by its
 * name.
 */
export function putEventsAuthorizations(json: unknown, arnOf: (busName: string) => string): Authorization[] {
  const { Entries } = parse(putEventsSchema, json, 'PutEvents');
  const names = new Set(Entries.map(({ EventBusName }) => EventBusName));
  return [...names].map((name) => ({ action: 'events:PutEvents', resource: arnOf(name), context: {} }));
}
