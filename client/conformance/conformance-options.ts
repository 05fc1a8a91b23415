import { parseArgs } from 'node:util';
import { roleNamePattern, userIdPattern } from '../service-contract.ts';

/** What the command was asked to check. */
export interface ConformanceOptions {
  /** The guarded route of the application. */
  readonly url: string;
  /** The headers of every request of the user, such as those of a login. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The header with the id of the user who asks; undefined if `headers` log in one user. */
  readonly userHeader: string | undefined;
  readonly userId: string;
  /** The role that the route requires, if it requires one. */
  readonly role: string | undefined;
  /** How old a decision of the application may be. */
  readonly withinMilliseconds: number;
  /** How long the application may take to answer. */
  readonly answerWithinMilliseconds: number;
  /** Whether the application refuses or admits users while the service does not answer. */
  readonly outage: 'closed' | 'open';
  /** The port of the service. */
  readonly port: number;
  readonly json: boolean;
  /** The program that starts the application, with its arguments; empty if the user starts it. */
  readonly command: readonly string[];
}

/** The command line cannot be understood; the message says what to change. */
export class UsageError extends Error {}

export const help = `Checks that an application obeys auth-service: runs the service in memory beside it, changes the access of a
user, and looks whether the application admits or refuses that user.

  auth-service-client conformance --url <url> --user-header <name> [options] [-- <command>]
  auth-service-client conformance --url <url> --user <id> --header <'name: value'> [options] [-- <command>]

  --url <url>              a guarded route, which answers GET with 2xx to a user with access
  --user-header <name>     the header from which your application takes the user's id, in this test
  --user <id>              the user whom the headers log in
  --header <name: value>   sent with each request of the user, such as authorization or cookie; can be repeated
  --role <name>            the role that the route requires; without it, roles are not checked
  --within <time>          how old a decision of your application may be, such as 500ms, 10s or 2m; 10s by default
  --answer-within <time>   how long your application may take to answer; 15s by default
  --outage <closed|open>   what your application does while the service does not answer; closed by default
  --port <number>          the port of the service on 127.0.0.1; 4010 by default
  --json                   prints the report as JSON
  -- <command>             starts your application, with AUTH_URL, AUTH_KEY_ID and AUTH_SECRET in its environment

Without a command, start your application with the address and the key that are printed. The exit code is 0 if your application
obeys, 1 if it does not, and 2 if that could not be checked.
`;

/** Reads the arguments after the name of the program; undefined if they ask for help. Throws a UsageError. */
export function readConformanceOptions(args: readonly string[]): ConformanceOptions | undefined {
  const [given, command] = splitAt(args, '--');
  const { values, positionals } = parse(given);
  if (values.help || args.length === 0) return undefined;
  if (positionals.join(' ') !== 'conformance') throw new UsageError('The command is: conformance');
  if (command?.length === 0) throw new UsageError('A command must follow --');
  const userHeader = values['user-header'];
  if ((userHeader === undefined) === (values.user === undefined))
    throw new UsageError('Say who asks: with --user-header, or with --user and the --header of a login');
  return {
    url: readUrl(values.url),
    headers: (values.header ?? []).map(readHeader),
    userHeader: userHeader === undefined ? undefined : readHeaderName(userHeader),
    userId: requireMatch('--user', values.user ?? defaultUserId, userIdPattern),
    role: values.role === undefined ? undefined : requireMatch('--role', values.role, roleNamePattern),
    withinMilliseconds: readTime('--within', values.within),
    answerWithinMilliseconds: readTime('--answer-within', values['answer-within']),
    outage: readOutage(values.outage),
    port: readPort(values.port),
    json: values.json,
    command: command ?? [],
  };
}

/** In both cases, and with a character that must be encoded in a path: ids of some identity providers are like it. */
const defaultUserId = 'idp|Conformance-User';

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        url: { type: 'string' },
        'user-header': { type: 'string' },
        user: { type: 'string' },
        header: { type: 'string', multiple: true },
        role: { type: 'string' },
        within: { type: 'string', default: '10s' },
        'answer-within': { type: 'string', default: '15s' },
        outage: { type: 'string', default: 'closed' },
        port: { type: 'string', default: '4010' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function splitAt(args: readonly string[], separator: string): [readonly string[], (readonly string[])?] {
  const at = args.indexOf(separator);
  return at < 0 ? [args] : [args.slice(0, at), args.slice(at + 1)];
}

function readUrl(url = ''): string {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new UsageError('--url must be the address of a guarded route, such as http://127.0.0.1:8080/invoices');
}

function readHeader(header: string): readonly [string, string] {
  const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/s.exec(header) ?? [];
  if (value === '') throw new UsageError("--header must be 'name: value'");
  return [readHeaderName(name), value];
}

function readHeaderName(name: string): string {
  // A token of RFC 9110 section 5.6.2.
  return requireMatch('The name of a header', name, /^[\w!#$%&'*+.^`|~-]+$/);
}

function requireMatch(name: string, value: string, pattern: RegExp): string {
  if (pattern.test(value)) return value;
  throw new UsageError(`${name} must match ${pattern}`);
}

function readTime(name: string, text: string): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? [];
  const milliseconds = Number(number) * ({ ms: 1, s: 1000, m: 60_000 }[unit] ?? 0);
  if (milliseconds >= 100) return milliseconds;
  throw new UsageError(`${name} must be a time of at least 100ms, such as 500ms, 10s or 2m`);
}

function readOutage(outage: string): 'closed' | 'open' {
  if (outage === 'closed' || outage === 'open') return outage;
  throw new UsageError('--outage must be closed or open');
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port > 0 && port < 65_536) return port;
  throw new UsageError('--port must be a number from 1 to 65535');
}
