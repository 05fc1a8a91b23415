import { createFakeAuthService } from '../testing.ts';
import { createBrowser } from './ask-application.ts';
import { similarRoles } from './conformance-cases.ts';
import { type ConformanceOptions, help, readConformanceOptions, UsageError } from './conformance-options.ts';
import { createExpectations } from './expectations.ts';
import { type CaseResult, runCases, UnreachableError } from './run-cases.ts';
import { serveService } from './serve-service.ts';
import { type StartedApplication, startApplication } from './start-application.ts';

/* The program `auth-service-client`. */

const exitCodes = { obeys: 0, disobeys: 1, unchecked: 2 };

async function main(): Promise<number> {
  const options = readConformanceOptions(process.argv.slice(2));
  if (options !== undefined) return check(options);
  process.stdout.write(help);
  return exitCodes.obeys;
}

async function check(options: ConformanceOptions): Promise<number> {
  const { role, url, port, command, json } = options;
  const roles = role === undefined ? [] : [role, ...similarRoles(options)];
  const service = await createFakeAuthService({ roles });
  const served = await serveService(service, port);
  const { keyId, secret } = service.options;
  const environment = { AUTH_URL: served.url, AUTH_KEY_ID: keyId, AUTH_SECRET: secret };
  const application = command.length === 0 ? undefined : startApplication(command, environment);
  if (application === undefined) process.stderr.write(instructions(environment, url));
  else stopOnSignals(application);
  try {
    const ask = createBrowser(options);
    const bench = { options, service, served, expect: createExpectations(ask) };
    const results = await Promise.race([runCases(bench, ask, json ? () => {} : print), failAtEnd(application)]);
    const failed = results.filter(({ result }) => result === 'failed');
    if (json) process.stdout.write(`${JSON.stringify({ obeys: failed.length === 0, cases: results }, null, 2)}\n`);
    else process.stdout.write(summary(results));
    return failed.length === 0 ? exitCodes.obeys : exitCodes.disobeys;
  } finally {
    await application?.stop();
    await served.close();
  }
}

function instructions(environment: Readonly<Record<string, string>>, url: string): string {
  const lines = Object.entries(environment).map(([name, value]) => `  ${name}=${value}\n`);
  return `Start your application with\n\n${lines.join('')}\nWaiting for an answer of ${url}\n\n`;
}

function failAtEnd(application: StartedApplication | undefined): Promise<never> {
  return new Promise((_, reject) => {
    void application?.ended.then((reason) => reject(new UnreachableError(reason)));
  });
}

function stopOnSignals(application: StartedApplication): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void application.stop().then(() => process.exit(exitCodes.unchecked)));
}

const words = { ok: 'ok    ', failed: 'FAILED', skipped: 'skip  ' };

function print({ title, result, seconds, expected, seen, lastRequest, needs }: CaseResult): void {
  const time = result === 'ok' ? ` (${seconds} s)` : '';
  process.stdout.write(`${words[result]} ${title}${needs === undefined ? time : `: needs ${needs}`}\n`);
  if (result !== 'failed') return;
  process.stdout.write(`         expected: ${expected}\n         seen:     ${seen}\n`);
  process.stdout.write(`         last request to the service: ${lastRequest}\n`);
}

function summary(results: readonly CaseResult[]): string {
  const count = (result: CaseResult['result']) => results.filter((each) => each.result === result).length;
  return `\n${count('ok')} ok, ${count('failed')} failed, ${count('skipped')} skipped\n`;
}

function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\n\n${help}`;
  if (error instanceof UnreachableError) return `${error.message}\n`;
  if (Object(error).code === 'EADDRINUSE') return 'The port is in use: choose another one with --port\n';
  throw error;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(explain(error));
  process.exitCode = exitCodes.unchecked;
}
// If the application has ended, the cases still wait for it.
process.exit();
