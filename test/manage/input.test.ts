import { describe, expect, test } from '@jest/globals';
import { documentationOf } from '#shared/contract/documents.ts';
import { pathExamples } from '#shared/contract/examples.ts';
import { manageOperations } from '#shared/contract/operations.ts';
import { operationClient } from '../support/ask-operation.ts';
import { describeService } from '../support/describe-service.ts';
import { describeEachEntryPoint, inTurns } from '../support/each-entry-point.ts';
import { expectInvalid, expectProblem } from '../support/expect-problem.ts';
import { manageClient } from '../support/manage-client.ts';
import { manageOutcomes } from '../support/manage-outcomes.ts';
import { rowsOf } from '../support/outcomes.ts';
import { writeNothing } from '../support/write-nothing.ts';

const service = describeService();
const manage = manageClient(() => service);

/** Every operation, with a valid body if it takes one; all are refused before they read. */
const operations = Object.values(manageOperations).map((operation) => {
  const names: Readonly<Record<string, string>> = { ...pathExamples, userId: 'ada' };
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => names[name] ?? '');
  const { example } = documentationOf(operation);
  const body = 'body' in operation ? ((example as { body?: object }).body ?? {}) : undefined;
  return { name: operation.name, method: operation.method, path: path.slice('/api/manage'.length), body };
});
const bodies = Object.fromEntries(operations.map(({ name, body }) => [name, body]));
const ask = operationClient(() => service);
const lists = rowsOf(manageOutcomes(() => service, ask)).filter(
  ({ operation, outcome }) => operation.startsWith('list-') && outcome === 'done',
);
const [withBody, withoutBody] = [true, false].map((hasBody) =>
  operations.filter(({ body }) => (body !== undefined) === hasBody),
) as [typeof operations, typeof operations];

describeEachEntryPoint(manage, (ask, entryPoint, once) => {
  once('accepts a body of 16,384 bytes', async () => {
    const body = JSON.stringify({ displayName: null }).padEnd(16_384);
    expect((await ask('PATCH', '/users/ada', body)).status).toBe(200);
  });

  test.each(
    inTurns(entryPoint, ['application/json; charset=utf-8', 'Application/JSON', 'application/merge-patch+json']),
  )('accepts JSON with the type %s', async (type) => {
    expect((await ask('PATCH', '/users/ada', {}, { 'content-type': type })).status).toBe(200);
  });

  describe('invalid input is refused, and nothing is written:', () => {
    writeNothing(() => service);

    describe('400', () => {
      test.each(inTurns(entryPoint, operations))(
        '$method $path refuses an unknown query parameter',
        async ({ name, method, path }) => {
          expectInvalid(await ask(method, `${path}?verbose=1`, bodies[name]), 'query:verbose');
        },
      );

      test.each(inTurns(entryPoint, ['1000', '-1', '1.5', '1e1', '0x10', '', '%201', '+1', 'null', '%D9%A1', '1,2']))(
        'refuses ?limit=%s',
        async (limit) => {
          expectInvalid(await ask('GET', `/users?limit=${limit}`), 'query:limit');
        },
      );

      test.each(
        inTurns(entryPoint, [
          ['GET', '/users?limit=1&limit=2', 'query:limit'],
          ['GET', '/users?prefix=a&prefix=b', 'query:prefix'],
          ['GET', '/applications/billing/users?status=enabled&status=disabled', 'query:status'],
          ['DELETE', '/applications/billing/roles/nothing?force=true&force=false', 'query:force'],
        ]),
      )('refuses a repeated query parameter: %s %s', async (method, path, pointer) => {
        expectInvalid(await ask(method, path), pointer);
      });

      once('names all invalid query parameters', async () => {
        expectInvalid(
          await ask('GET', '/users?limit=0&prefix=%20&status=x'),
          'query:limit',
          'query:prefix',
          'query:status',
        );
      });

      test.each(inTurns(entryPoint, withBody))(
        '$method $path names an unknown member by its JSON pointer',
        async ({ name, method, path }) => {
          expectInvalid(await ask(method, path, { ...bodies[name], 'a/b~c': 1 }), '#/a~1b~0c');
        },
      );

      test.each(inTurns(entryPoint, withBody))(
        '$method $path refuses a body that is not an object',
        async ({ method, path }) => {
          for (const body of ['null', '1', '"text"', 'true']) expectInvalid(await ask(method, path, body), '#');
        },
      );

      test.each(inTurns(entryPoint, withBody))(
        '$method $path refuses a member named __proto__',
        async ({ name, method, path }) => {
          const body = `{"__proto__":{"status":"disabled"},${JSON.stringify(bodies[name]).slice(1)}`.replace(',}', '}');
          expect((await ask(method, path, body)).status).toBe(400);
        },
      );

      test.each(inTurns(entryPoint, withoutBody))('$method $path refuses a body', async ({ method, path }) => {
        expectInvalid(await ask(method, path, {}), '#');
      });

      test.each(inTurns(entryPoint, operations))(
        '$method $path refuses a body that is not JSON',
        async ({ method, path }) => {
          expectProblem(await ask(method, path, '{'), 'malformed_json');
        },
      );

      test.each(
        inTurns(entryPoint, ['nonsense', "{'a':1}", '{"a":1,}', '{"a":1} x', '{"a":NaN}', '\ufeff{}', ' ', '\0']),
      )('refuses the body %j, which is not JSON', async (body) => {
        expectProblem(await ask('PATCH', '/users/ada', body), 'malformed_json');
      });

      test.each(
        inTurns(entryPoint, [
          ['/applications/Billing', 'path:appId'],
          ['/applications/b', 'path:appId'],
          [`/applications/${'a'.repeat(41)}`, 'path:appId'],
          ['/applications/bil%20ling', 'path:appId'],
          ['/applications/billing%0A', 'path:appId'],
          ['/applications/billing%23APP/keys', 'path:appId'],
          ['/applications/__proto__/roles', 'path:appId'],
          ['/applications/billing/roles/%2A', 'path:role'],
          ['/users/a%23b/access', 'path:userId'],
          ['/users/%00/changes', 'path:userId'],
        ]),
      )('names the invalid path parameter: GET %s', async (path, pointer) => {
        expectInvalid(await ask('GET', path), pointer);
      });
    });

    describe('400 for an array instead of an object', () => {
      test.each(inTurns(entryPoint, withBody))(
        '$method $path refuses an array instead of an object',
        async ({ name, method, path }) => {
          expectInvalid(await ask(method, path, [bodies[name]]), '#');
          expectInvalid(await ask(method, path, []), '#');
        },
      );
    });

    describe('413', () => {
      test.each(inTurns(entryPoint, operations))(
        '$method $path refuses any body of 16,385 bytes',
        async ({ name, method, path }) => {
          expectProblem(await ask(method, path, JSON.stringify(bodies[name] ?? {}).padEnd(16_385)), 'body_too_large');
        },
      );

      once('counts the bytes of a body, not its characters', async () => {
        expectProblem(await ask('PUT', '/users/new', { displayName: '€'.repeat(6000) }), 'body_too_large');
      });
    });

    describe('415', () => {
      test.each(inTurns(entryPoint, operations))(
        '$method $path refuses a body of the type text/plain',
        async ({ name, method, path }) => {
          const answer = await ask(method, path, JSON.stringify(bodies[name] ?? {}), { 'content-type': 'text/plain' });
          expectProblem(answer, 'unsupported_media_type');
        },
      );

      test.each(
        inTurns(entryPoint, ['application/x-www-form-urlencoded', 'text/json', 'application/jsonp', 'json', '', 'a,b']),
      )('refuses a body of the type "%s", which is not JSON', async (type) => {
        expectProblem(await ask('PATCH', '/users/ada', '{}', { 'content-type': type }), 'unsupported_media_type');
      });
    });

    describe('404', () => {
      test.each(
        inTurns(entryPoint, [
          ['GET', '/'],
          ['GET', '/nothing'],
          ['GET', '/applications/billing/nothing'],
          ['GET', '/applications/billing/keys/svk_k1_billing_x/rotate/more'],
          ['GET', '/users/ada/access/billing/more'],
          ['DELETE', '/users/ada/roles/billing'],
          ['GET', '/users//access'],
          ['GET', '/Users'],
          ['GET', '//users'],
          ['GET', '/users/a%2Fb'],
        ]),
      )('answers 404 without Allow for the unknown path: %s %s', async (method, path) => {
        const answer = await ask(method, path);
        expectProblem(answer, 'route_not_found');
        expect(answer.headers.allow).toBeUndefined();
      });

      const unsupported = [...new Set(operations.map(({ path }) => path))].flatMap((path) => {
        const supported = operations
          .filter((operation) => operation.path === path)
          .map(({ method }) => method as string);
        const refused = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS'].filter(
          (method) => !supported.includes(method),
        );
        return refused.map((method): [string, string, string] => [method, path, supported.join(', ')]);
      });

      test.each(inTurns(entryPoint, unsupported))(
        'answers 404 to %s %s, and says that the path supports %s',
        async (method, path, allow) => {
          const answer = await ask(method, path);
          expectProblem(answer, 'route_not_found');
          expect(answer.headers.allow).toBe(allow);
          expect(answer.body.detail).toBe(`This path does not support ${method}. Allowed: ${allow}.`);
        },
      );

      once('answers HEAD with 404, Allow and no body', async () => {
        const { status, headers, body } = await ask('HEAD', '/users');
        expect([status, headers.allow, body]).toEqual([404, 'GET', null]);
      });

      once('a 404 does not echo the path, query or headers', async () => {
        const path = '/%3Cscript%3Ealert(1)%3C%2Fscript%3E/%22marker%22?q=marker';
        const answer = await ask('GET', path, undefined, { 'x-marker': 'marker' });
        expectProblem(answer, 'route_not_found');
        expect(JSON.stringify([answer.headers, answer.body])).not.toMatch(/marker|script|alert/i);
      });
    });
  });
});

test.each(lists)('$operation has pages of 1 to 100 items', async ({ operation, prepare }) => {
  const { call } = await prepare();
  const askFor = (limit: string) => ask(operation, { ...call, query: { ...call.query, limit } });
  for (const limit of ['0', '101', 'x']) expectInvalid(await askFor(limit), 'query:limit');
  for (const limit of ['1', '100']) expect((await askFor(limit)).status).toBe(200);
});
