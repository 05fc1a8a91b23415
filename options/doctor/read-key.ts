import { type CliError, notSent } from '#cli/terminal/cli-error.ts';
import { readJsonObject } from '#cli/terminal/read-input.ts';
import type { Terminal } from '#cli/terminal/terminal.ts';
import { secretPattern } from '#shared/contract/fields.ts';

/** The key that the request should be signed with. */
export interface DoctorKey {
  /** Undefined if only the secret was given: it then belongs to the key that the request names. */
  readonly keyId: string | undefined;
  readonly secret: string;
}

export interface KeyOptions {
  readonly key?: string;
  readonly secret?: string;
}

/** Reads the key from the file, the option or the environment, in this order. */
export async function readKey({ key, secret }: KeyOptions, terminal: Terminal): Promise<DoctorKey> {
  if (key !== undefined) return readKeyFile(key, terminal);
  const given = secret ?? terminal.env.SECRET;
  if (!given) throw noSecret();
  return { keyId: undefined, secret: requireSecret(given) };
}

async function readKeyFile(file: string, terminal: Terminal): Promise<DoctorKey> {
  const { keyId, secret } = await readJsonObject(file, terminal);
  if (typeof keyId === 'string' && typeof secret === 'string') return { keyId, secret: requireSecret(secret) };
  throw notSent(`${file} has no keyId and secret (expected the output of "keys issue --json").`);
}

function noSecret(): CliError {
  return notSent('No secret was given.', [
    'Pass --key with the output file of "keys issue --json", or set SECRET: read -rs SECRET; export SECRET',
  ]);
}

/** Trims white space, one of the mistakes that are searched for; no message contains the secret itself. */
function requireSecret(text: string): string {
  const secret = text.trim();
  if (secretPattern.test(secret)) return secret;
  const wrong = secret.startsWith('svs_') ? `has ${secret.length} characters` : 'does not begin with svs_';
  throw notSent(`The secret ${wrong}; use it exactly as issued: svs_ and 43 of A-Z a-z 0-9 - _.`);
}
