import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { signRequest } from '#shared/signature/sign.ts';
import type { ExampleAddition } from './local-part.ts';
import type { RunningStack } from './run-stack.ts';
import type { SeededExample } from './seed-example.ts';

/** The maximum age of a signature, in seconds. */
const clockSkewSeconds = 300;

/** The running stack and its example. */
export interface Welcome {
  readonly stack: Pick<RunningStack, 'url' | 'dashboardUrl' | 'manageUrl'>;
  readonly example: SeededExample;
  /** The file with the example's credentials. */
  readonly exampleFile: string;
  /** What options run. */
  readonly lines: ExampleAddition['lines'];
  readonly now: Date;
}

/** Prints the addresses, and a signed request and a command to paste: no more than fits a screen of 24 lines. */
export function printWelcome({ stack, example, exampleFile, lines, now }: Welcome): void {
  const validUntil = new Date(now.getTime() + clockSkewSeconds * 1000).toTimeString().slice(0, 8);
  console.log(`
Service API   ${stack.url}
Reference     ${stack.url}/docs
Management    ${stack.manageUrl}
Dashboard     ${stack.dashboardUrl ?? 'not available'}
Example       application ${example.appId}, user ${example.userIds[0]} and others; the keys are in ${exampleFile}
${lines.map(([title, text]) => `${title.padEnd(14)}${text}\n`).join('')}
Ask whether ${example.userIds[0]} may enter (valid until ${validUntil}), then block and ask again:

${signedCurl(example, now)}

${findable(exampleFile)}npm run -s manage -- access set ${example.userIds[0]} ${example.appId} disabled --reason "left the team" --until 2h
`);
}

/** Tells the command line where to look, unless it looks there anyway. */
function findable(exampleFile: string): string {
  const folder = dirname(exampleFile);
  return folder === '.local' ? '' : `AUTH_SERVICE_LOCAL=${quote(folder)} `;
}

function signedCurl({ baseUrl, keyId, secret, userIds }: SeededExample, now: Date): string {
  const url = `${baseUrl}/api/service/users/${userIds[0]}/access`;
  const headers = signRequest(
    { method: 'GET', url },
    { keyId, secret, created: Math.floor(now.getTime() / 1000), nonce: randomBytes(16).toString('hex') },
  );
  const options = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  return ['curl', ...options, quote(url)].join(' \\\n  ');
}

/** Quotes a text for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** How long a line is buffered, so that many are written together. */
const waitMilliseconds = 20;

/** Writes lines to standard output in batches; buffered lines are flushed when the process exits. */
export function createLineWriter(write: (text: string) => unknown = (text) => process.stdout.write(text)) {
  const waiting: string[] = [];
  const flush = () => {
    if (waiting.length > 0) write(`${waiting.splice(0).join('\n')}\n`);
  };
  process.once('exit', flush);
  return (line: string): void => {
    if (waiting.push(line) === 1) setTimeout(flush, waitMilliseconds);
  };
}
