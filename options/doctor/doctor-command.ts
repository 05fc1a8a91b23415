import { type Command, InvalidArgumentError, Option } from 'commander';
import * as v from 'valibot';
import type { CommandContext, ContextProvider } from '#cli/service/command-context.ts';
import { examples } from '#cli/terminal/arguments.ts';
import { CliError, notSent } from '#cli/terminal/cli-error.ts';
import { readInput, readJsonObject } from '#cli/terminal/read-input.ts';
import type { Terminal } from '#cli/terminal/terminal.ts';
import { errorCatalogue } from '#shared/contract/error-codes.ts';
import { timestampSchema } from '#shared/contract/fields.ts';
import { type Diagnosis, diagnose, diagnosisLines } from './diagnose.ts';
import { readHttpRequest } from './read-http-request.ts';
import { type KeyOptions, readKey } from './read-key.ts';

const guide = `
The request file holds the bytes on the wire: request line, headers, an empty
line, the body. Without Content-Length the body is all that follows, including a
line break at the end.

The secret is read from --key, or else --secret, or else the environment variable
SECRET. Prefer --key with a file that only you can read, or
  $ read -rs SECRET; export SECRET
because --secret stays in the shell history and is visible in ps. The secret is
never printed, and nothing is sent.

Exit codes: 0 the service would accept the signature, 1 the service would refuse
it, 2 the input is incomplete.`;

/** Adds `doctor`: explains offline why the service refuses a signature. */
export function addDoctor(program: Command, { withContext }: ContextProvider): void {
  program
    .command('doctor')
    .description('explain offline why the service refuses a signed request')
    .addOption(new Option('--request <file>', 'the raw HTTP request; - is standard input').makeOptionMandatory())
    .addOption(new Option('--key <file>', 'the key, as printed by "keys issue --json"').conflicts('secret'))
    .addOption(new Option('--secret <secret>', 'the secret, svs_…; prefer --key or SECRET, see below'))
    .addOption(new Option('--response <file>', 'the body of the response 401 signature_mismatch, to compare with'))
    .addOption(
      new Option('--at <time>', 'arrival time, such as 2027-01-31T12:00:00Z (default: now)').argParser(parseArrival),
    )
    .addHelpText('after', guide)
    .addHelpText(
      'after',
      examples(
        'doctor --request request.http --key .local/crm.json',
        'doctor --request - --at 2027-01-31T12:00:00Z --json < request.http',
        'doctor --request request.http --key key.json --response problem.json',
      ),
    )
    .action(
      withContext(async (context: CommandContext<DoctorOptions>) => {
        const { options, terminal } = context;
        const key = await readKey(options, terminal);
        const request = readHttpRequest(await readInput(options.request, terminal));
        const answered = options.response === undefined ? undefined : await readAnswer(options.response, terminal);
        const diagnosis = withoutSecret(diagnose(request, { key, at: options.at ?? new Date(), answered }), key.secret);
        context.show(diagnosis, ...diagnosisLines(diagnosis, terminal.style));
        if (diagnosis.code !== null) throw refused(diagnosis.code);
      }),
    );
}

interface DoctorOptions extends KeyOptions {
  readonly request: string;
  readonly response?: string;
  readonly at?: Date;
}

function parseArrival(text: string): Date {
  const parsed = v.safeParse(timestampSchema, text);
  if (parsed.success) return new Date(parsed.output);
  throw new InvalidArgumentError('It must be a timestamp with an offset, such as 2027-01-31T12:00:00Z.');
}

async function readAnswer(file: string, terminal: Terminal): Promise<string> {
  const { signatureBase, code } = await readJsonObject(file, terminal);
  if (typeof signatureBase === 'string') return signatureBase;
  throw notSent(`${file} has no signatureBase: only a 401 signature_mismatch has one.`, [
    ...(typeof code === 'string'
      ? [`Its code is ${code}; see docs/integrate/errors.md for the cause and the fix.`]
      : []),
  ]);
}

/** Removes the secret, which a faulty request may contain. */
function withoutSecret(diagnosis: Diagnosis, secret: string): Diagnosis {
  return JSON.parse(JSON.stringify(diagnosis).replaceAll(secret, '[secret]'));
}

function refused(code: NonNullable<Diagnosis['code']>): CliError {
  if (code === 'bad_request') return new CliError('API Gateway would refuse the request: 400, without a code.');
  return new CliError(`The service would refuse the request: ${errorCatalogue[code].status} ${code}.`);
}
