import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as endpoints from '#options/endpoints.ts';
import * as localParts from '#options/local.ts';
import { type BearerEndpoint, routeKeyOf } from '#shared/contract/bearer-endpoint.ts';
import { serviceOperations } from '#shared/contract/operations.ts';
import type { PortVariable } from './listen.ts';
import { LocalError } from './local-error.ts';
import type { LocalPart, PartContext } from './local-part.ts';

/** The options of `npm start`. */
export interface Command {
  /** The ports of the HTTP API, the function URL and the development login. */
  readonly port: number;
  readonly managePort: number;
  readonly loginPort: number;
  /** The ports of what options run, by their variables. */
  readonly partPorts: PartContext['ports'];
  /** Default: the project's emulator. */
  readonly dynamodbEndpoint?: string | undefined;
  /** The folder for the data, the keys and the assembly. */
  readonly folder: string;
  readonly reset: boolean;
  readonly verbose: boolean;
  readonly help: boolean;
}

const parts: readonly LocalPart[] = Object.values(localParts);
/** They follow the ports of the core, the last of which is PORT + 2. */
const partPorts = parts.flatMap(({ ports }) => ports).map((port, at) => ({ ...port, offset: at + 3 }));
const partUsage = partPorts.map(
  ({ variable, meaning, offset }) => `  ${variable.padEnd(20)}the port of ${meaning} (default: PORT + ${offset})\n`,
);

const bearerEndpoints: readonly BearerEndpoint[] = Object.values(endpoints).flat();
const routes = [
  ...Object.values(serviceOperations).map(({ method, path }) => `${method} ${path}`),
  ...bearerEndpoints.flatMap((endpoint) => endpoint.routes.map(routeKeyOf)),
].map((route) => `  ${route.replace(/^\w+/, (method) => method.padEnd(7))}\n`);

/** The text of `npm start -- --help`. */
export const usage = `npm start -- [options]: run the whole service on this machine.

  --reset         start with an empty table and new keys
  --data=<folder> folder for data and keys (default: .local); the command line finds it by AUTH_SERVICE_LOCAL
  --verbose       show all requests and log lines, not only refusals, warnings and errors
  --help          show this help

Environment variables:
  PORT                the port on 127.0.0.1 (default: 3000; 0 for any free ports)
  MANAGE_PORT         the port of the function URL (default: PORT + 1)
  OIDC_PORT           the port of the development login (default: PORT + 2)
${partUsage.join('')}  DYNAMODB_ENDPOINT   use this DynamoDB instead of the emulator or the table in memory, such as http://127.0.0.1:8000

Addresses:
  http://127.0.0.1:3000/               the dashboard
  http://127.0.0.1:3000/docs           both APIs, described and to try
  http://127.0.0.1:3000/_local/ready   200 once everything has started, 503 before
  http://127.0.0.1:3000/_local/events  the latest events
  http://127.0.0.1:3000/api/manage/    the Management API, for tokens of the development login at http://127.0.0.1:3002
  http://127.0.0.1:3001/               the same, for requests signed with AWS Signature Version 4

Routes of http://127.0.0.1:3000 for applications and connections:
${routes.join('')}`;

/** Reads the command line and the environment; throws a LocalError for an unknown option or invalid value. */
export function readCommand(args: readonly string[], env: NodeJS.ProcessEnv): Command {
  const { reset, verbose, help, data } = parseOptions(args);
  const port = readPort('PORT', env, 3000);
  const following = (variable: PortVariable, offset: number) => readPort(variable, env, port === 0 ? 0 : port + offset);
  return {
    port,
    managePort: following('MANAGE_PORT', 1),
    loginPort: following('OIDC_PORT', 2),
    partPorts: Object.fromEntries(partPorts.map(({ variable, offset }) => [variable, following(variable, offset)])),
    dynamodbEndpoint: env.DYNAMODB_ENDPOINT ? readEndpoint(env.DYNAMODB_ENDPOINT) : undefined,
    folder: resolve(import.meta.dirname, '..', data),
    reset,
    verbose,
    help,
  };
}

function parseOptions(args: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const;
  const data = { type: 'string', default: '.local' } as const;
  try {
    return parseArgs({ args: [...args], options: { reset: flag, verbose: flag, help: flag, data } }).values;
  } catch (error) {
    const [reason = ''] = String(error instanceof Error ? error.message : error).split(/\.\s|\n/);
    throw new LocalError(`${reason}. npm start -- --help lists the options.`);
  }
}

function readPort(variable: PortVariable, env: NodeJS.ProcessEnv, byDefault: number): number {
  const text = env[variable] ?? String(byDefault);
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new LocalError(`${variable} must be a number from 0 to 65535, not ${JSON.stringify(text)}.`);
}

function readEndpoint(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.origin;
  throw new LocalError(`DYNAMODB_ENDPOINT must be a URL such as http://127.0.0.1:8000, not ${JSON.stringify(text)}.`);
}
