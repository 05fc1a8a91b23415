import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { type ErrorCode, errorCatalogue } from '#shared/contract/error-codes.ts';
import type { ServiceOperation } from '#shared/contract/operation.ts';
import { manageOperations, serviceOperations } from '#shared/contract/operations.ts';
import { generateDocuments } from '#shared/openapi/generated-documents.ts';
import { documentedOperations, type Json, openapi, resolved } from '../support/documented.ts';
import { needing } from '../support/needing.ts';
import { redocly } from '../support/tools.ts';

const root = join(import.meta.dirname, '../..');
const routes = [...Object.values(serviceOperations), ...Object.values(manageOperations)];

test.each(Object.entries(generateDocuments()))(
  '%s is what npm run build:docs generates from the contract',
  (path, text) => {
    expect(readFileSync(join(root, path), 'utf8')).toBe(text);
  },
);

needing('Redocly').test('Redocly finds neither errors nor warnings in the API description', async () => {
  const args = ['lint', join(root, 'docs/openapi.json'), '--extends=recommended-strict', '--format=json'];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { stdout } = await promisify(execFile)(process.execPath, [redocly, ...args], { env });
  expect(JSON.parse(stdout)).toMatchObject({ problems: [], totals: { errors: 0, warnings: 0, ignored: 0 } });
});

describe('the document', () => {
  test('the API description has every route of the contract under its name, and no other', () => {
    const documented = documentedOperations.map(({ method, path, operation }) => [operation.operationId, method, path]);
    expect(documented.sort()).toEqual(routes.map(({ name, method, path }) => [name, method, path]).sort());
  });

  test.each(Object.values<ServiceOperation>(serviceOperations))(
    'the API description has $name signed by a key with $scope, and the digest of a body',
    ({ name, scope, body }) => {
      const found = documentedOperations.find(({ operation }) => operation.operationId === name);
      const signed = { signature: [], signatureInput: [] };
      const withBody = { ...signed, contentDigest: [] };
      const alternatives = { optional: [signed, withBody], none: [signed], needed: [withBody] };
      const kind = body === undefined ? 'none' : body.type === 'optional' ? 'optional' : 'needed';
      expect(found?.operation).toMatchObject({ 'x-required-scope': scope, security: alternatives[kind] });
    },
  );

  /** Codes that nothing answers with in a copy of the project without these options. */
  const ofMissingOptions = Object.entries({
    connections: ['connection_not_found'],
    webhooks: ['webhook_not_found', 'too_many_webhooks'],
  }).flatMap(([option, codes]) => (existsSync(join(root, 'options', option)) ? [] : codes));

  test('the API description shows a problem of every code that its operations answer with', () => {
    const shown = Object.entries<Json>(openapi.components.examples).map(([code, { value }]) => {
      const { status, title } = errorCatalogue[code as ErrorCode];
      expect(value).toMatchObject({ type: `/docs/errors#${code}`, code, status, title });
      return code;
    });
    const ofBearerEndpoints = ['token_missing', 'token_invalid', 'user_unidentified', 'access_denied'];
    const known = Object.keys(errorCatalogue).filter((code) => !ofMissingOptions.includes(code));
    expect([...shown, ...ofBearerEndpoints].sort()).toEqual(known.sort());
  });

  test('the API description explains every member and every parameter', () => {
    const parameters = documentedOperations.flatMap(({ operation }) => (operation.parameters ?? []).map(resolved));
    const mute = parameters.filter(({ description }) => !description).map(({ name }) => name);
    expect([...mute, ...unexplained(openapi.components.schemas, '')]).toEqual([]);
  });

  test('the API description says for every operation when to retry', () => {
    for (const { operation } of documentedOperations) {
      const { 503: unavailable, 429: throttled } = operation.responses;
      expect(resolved(unavailable).headers).toHaveProperty('Retry-After');
      const { content, headers = {} } = resolved(throttled);
      const isService = operation['x-required-scope'] !== undefined;
      expect(Object.keys(content)).toEqual(['application/json', ...(isService ? ['application/problem+json'] : [])]);
      expect(Object.keys(headers)).toEqual(
        isService ? ['Retry-After', 'RateLimit-Policy', 'RateLimit', 'Request-Nonce'] : [],
      );
    }
  });
});

/** The members without a description, by where they are. */
function unexplained(schema: Json, place: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const members = Object.entries<Json>(schema.properties ?? {});
  return [
    ...members.filter(([, { description }]) => !description).map(([name]) => `${place}/${name}`),
    ...Object.entries(schema).flatMap(([name, within]) => unexplained(within, `${place}/${name}`)),
  ];
}
