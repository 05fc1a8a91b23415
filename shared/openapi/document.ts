import { describeOperation } from './describe-operation.ts';
import { type DescribedOperation, operations } from './described-operations.ts';
import { sharedHeaders } from './headers.ts';
import { sharedParameters } from './parameters.ts';
import { problemExamples } from './problem-examples.ts';
import { gatewayResponses, problemResponses } from './responses.ts';
import { describeSchemas } from './schemas.ts';
import { securitySchemes } from './security.ts';
import { info, manageServers, servers, tags } from './texts.ts';

type Json = Readonly<Record<string, unknown>>;

/** The OpenAPI 3.1 description of both APIs. */
export function describeApis(version: string): Json {
  return {
    openapi: '3.1.1',
    info: { ...info, version },
    servers,
    tags,
    paths: describePaths(),
    components: {
      securitySchemes,
      parameters: sharedParameters,
      headers: sharedHeaders,
      examples: problemExamples,
      responses: { ...sharedResponses(), ...gatewayResponses },
      schemas: describeSchemas(),
    },
  };
}

function describePaths(): Json {
  const byPath = Map.groupBy(operations, ({ path }) => path);
  return Object.fromEntries([...byPath].map(([path, alike]) => [path, describePath(alike)]));
}

/** Only the Management API has a second address. */
function describePath(alike: readonly DescribedOperation[]): Json {
  const methods = alike.map((operation) => [operation.method.toLowerCase(), describeOperation(operation)]);
  const ownServers = alike.every(({ scope }) => scope === undefined) ? { servers: manageServers } : {};
  return { ...ownServers, ...Object.fromEntries(methods) };
}

function sharedResponses(): Json {
  const named = operations.flatMap((operation) => [...problemResponses(operation).values()]);
  return Object.fromEntries(named.map(({ name, response }) => [name, response]));
}
