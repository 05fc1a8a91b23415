import { type Command, InvalidArgumentError, Option } from 'commander';
import * as v from 'valibot';
import { errorCatalogue } from '#shared/contract/error-codes.ts';
import { momentSchema } from '#shared/contract/moment.ts';
import { CliError, notSent } from '../cli-error.ts';
import { type Diagnosis, diagnose } from '../doctor/diagnose.ts';
import { diagnosisLines } from '../doctor/diagnosis-lines.ts';
import { readHttpRequest } from '../doctor/read-http-request.ts';
import { readInput, readJsonObject } from '../doctor/read-input.ts';
import { type KeyOptions, readKey } from '../doctor/read-key.ts';
import { examples } from '../examples.ts';
import type { Kit, Work } from '../kit.ts';
import type { Terminal } from '../terminal.ts';

const guide = `
The request is the bytes that go over the wire: request line, headers, an empty line, the body. Without a Content-Length
all that follows is the body, a line break at its end too.

The secret comes from --key, else --secret, else the environment variable SECRET. Prefer a file that only you can read, or
  $ read -rs SECRET; export SECRET
since --secret stays in the shell's history and shows in ps. The secret is never printed, and nothing is sent.

Ends with 0 if the service would accept the signature, 1 if it would not, 2 if that cannot be told.
`;

/** `doctor`: why the service refuses a signature, found without asking it. */
export function addDoctor(program: Command, { perform }: Kit): void {
  program
    .command('doctor')
    .description('explain what the service makes of a signed request, and which mistake its signature has')
    .addOption(new Option('--request <file>', 'the raw HTTP request; - is standard input').makeOptionMandatory())
    .addOption(new Option('--key <file>', 'the key as "keys issue --json" wrote it').conflicts('secret'))
    .addOption(new Option('--secret <secret>', 'the secret, svs_…; better --key or SECRET, see below'))
    .addOption(new Option('--response <file>', 'the body of the 401 signature_mismatch, to be compared with'))
    .addOption(
      new Option('--at <moment>', 'when it arrived, such as 2027-01-31T12:00:00Z (default: now)').argParser(readMoment),
    )
    .addHelpText(
      'after',
      `${guide}${examples(
        'doctor --request request.http --key .local/crm.json',
        'doctor --request - --at 2027-01-31T12:00:00Z --json < request.http',
        'doctor --request request.http --key key.json --response problem.json',
      )}`,
    )
    .action(
      perform(async (work: Work<DoctorOptions>) => {
        const { options, terminal } = work;
        const key = await readKey(options, terminal);
        const request = readHttpRequest(await readInput(options.request, terminal));
        const answered = options.response === undefined ? undefined : await readAnswer(options.response, terminal);
        const diagnosis = withoutSecret(diagnose(request, { key, at: options.at ?? new Date(), answered }), key.secret);
        work.show(diagnosis, ...diagnosisLines(diagnosis, terminal.style));
        if (diagnosis.code !== null) throw refused(diagnosis.code);
      }),
    );
}

interface DoctorOptions extends KeyOptions {
  readonly request: string;
  readonly response?: string;
  readonly at?: Date;
}

function readMoment(text: string): Date {
  const moment = v.safeParse(momentSchema, text);
  if (moment.success) return new Date(moment.output);
  throw new InvalidArgumentError('It must be a moment with an offset, such as 2027-01-31T12:00:00Z.');
}

async function readAnswer(file: string, terminal: Terminal): Promise<string> {
  const { signatureBase, code } = await readJsonObject(file, terminal);
  if (typeof signatureBase === 'string') return signatureBase;
  throw notSent(`${file} has no signatureBase: only a 401 signature_mismatch has one.`, [
    ...(typeof code === 'string' ? [`Its code is ${code}; docs/errors.md has its cause and its fix.`] : []),
  ]);
}

/** A request that carries its own secret is shown without it. */
function withoutSecret(diagnosis: Diagnosis, secret: string): Diagnosis {
  return JSON.parse(JSON.stringify(diagnosis).replaceAll(secret, '[secret]'));
}

function refused(code: NonNullable<Diagnosis['code']>): CliError {
  return new CliError(`The service would refuse it: ${errorCatalogue[code].status} ${code}.`);
}
