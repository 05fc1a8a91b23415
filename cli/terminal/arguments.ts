import { type AddHelpTextContext, Argument, type Command, InvalidArgumentError, Option } from 'commander';
import * as v from 'valibot';
import { defaultKeyLifetimeDays, defaultKeyScopes } from '#shared/contract/api-key.ts';
import { maxRequestsPerSecond, maxReviewEveryDays } from '#shared/contract/application-fields.ts';
import { reasonDemands, ticketSchema } from '#shared/contract/change-reason.ts';
import {
  appIdSchema,
  changeIdSchema,
  maxPageSize,
  roleNameSchema,
  userIdSchema,
  webhookIdSchema,
} from '#shared/contract/fields.ts';
import { scopes } from '#shared/contract/operation.ts';
import { fullRollout } from '#shared/contract/rollout.ts';
import { notSent } from './cli-error.ts';
import { ownName } from './command-line.ts';
import {
  type DayEdge,
  type Expiry,
  expiryFormats,
  parseDuration,
  parseExpiry,
  parsePast,
  pastFormats,
} from './parse-time.ts';
import { parseUser } from './typed-user.ts';
import { programOf } from './usage-error.ts';

/** An existing user. A handler gets the id. */
export const userArgument = (description = 'user id or e-mail address') =>
  new Argument('<user>', description).argParser(parseUser);
export const newUserArgument = () => new Argument('<user>', 'user id').argParser(parserOf(userIdSchema));
/** Omitted with `--users-file`, so that the arguments after it move to its place. */
export const userOfManyArgument = () => userArgument('user id or e-mail address; omit it with --users-file');
export const appArgument = () => new Argument('<app>', 'application id').argParser(parserOf(appIdSchema));
export const optionalAppArgument = () =>
  new Argument('[app]', 'application id (default: all applications)').argParser(parserOf(appIdSchema));
export const roleArgument = () => new Argument('<role>', 'role name').argParser(parserOf(roleNameSchema));
export const changeArgument = () =>
  new Argument('<change>', 'change id, as shown in a history').argParser(parserOf(changeIdSchema));
export const webhookArgument = () =>
  new Argument('<webhook>', 'webhook id, unique in its application').argParser(parserOf(webhookIdSchema));
export const keyArgument = () => new Argument('<key>', 'key id, such as svk_k1_billing_01JD…').argParser(parseKeyId);

export const percentArgument = () =>
  new Argument('<percent>', 'percentage of users without an explicit status, 0 to 100').argParser(parsePercent);
export const rolloutOption = () =>
  new Option('--rollout <percent>', 'percentage of users with access; 0 admits no one (default: 100)').argParser(
    parsePercent,
  );

export const requestsPerSecondOption = () =>
  new Option('--requests-per-second <count>', 'limit its requests per second; "none" removes the limit').argParser(
    wholeNumberOrNone(maxRequestsPerSecond),
  );

export const untilOption = () =>
  expiryOption(
    '--until <when>',
    'when a temporary block ends',
    (typed): Expiry => ({ typed, timestamp: parseExpiry(typed) }),
  );
export const expiresOption = () => expiryOption('--expires <when>', 'when it expires', (typed) => parseExpiry(typed));
/** The lifetime of a new key, unless another is asked for. */
export const defaultKeyLifetime = `${defaultKeyLifetimeDays}d`;
export const keyExpiryOption = () =>
  new Option(
    '--expires <when>',
    `when it expires: ${expiryFormats}; "never" for no end (default: ${defaultKeyLifetime})`,
  ).argParser((typed) => (typed === never ? never : parseExpiry(typed)));
/** Commander takes `null` for an option without a value. */
export const never = 'never';
export const grantExpiryOption = () =>
  expiryOption('--expires <when>', 'when it expires', (typed): Expiry => ({ typed, timestamp: parseExpiry(typed) }));
/** An instant in the past. */
export const pastOption = (flags: string, description: string, edge?: DayEdge) =>
  new Option(flags, `${description}: ${pastFormats}`).argParser((text) => parsePast(text, new Date(), edge));
export const overlapOption = (what = 'how long the old key stays valid') =>
  new Option('--overlap <duration>', `${what}: 0s to 30d`).argParser(parseSpan).default('PT86400S', '1d');
/** A duration in the format of the service, ISO 8601. */
export const durationOption = (flags: string, description: string) =>
  new Option(flags, `${description}, such as 30d or 12h`).argParser(parseSpan);
export const forceOption = (holders: string) => new Option('--force', `delete it even if ${holders}`);
export const yesOption = () => new Option('--yes', 'do not ask for confirmation');
export const limitOption = () =>
  new Option('--limit <n>', `items per page, 1 to ${maxPageSize} (default: 25, with --all 100)`).argParser(parseLimit);
export const timeoutOption = () =>
  new Option(
    '--timeout <seconds>',
    'how long to wait for the answer to a request (default: 35, or 8 if nothing is answered)',
  )
    .env('AUTH_SERVICE_TIMEOUT')
    .argParser(parseTimeout);
export const keyFileOption = (what = 'the key') =>
  new Option(
    '--out <file>',
    `write ${what} with its secret to a new file that only you can read; default: standard output`,
  );
export const quietOption = () => new Option('--quiet', 'print or write only the secret');

export const requireReasonOption = () =>
  new Option(
    '--require-reason <whose>',
    'whose changes of its access and roles require a reason: "operators", or "all" (the application too)',
  ).choices([...reasonDemands, 'none']);

export const reviewEveryOption = () =>
  new Option(
    '--review-every <days>',
    'how many days after a review of its access the next one is due; "none" if no reviews are expected',
  ).argParser(wholeNumberOrNone(maxReviewEveryDays));

/** Why a change is made. */
export interface ReasonOptions {
  readonly reason?: string;
  readonly ticket?: string;
}

/** Adds `--reason` and `--ticket`, which the change keeps in the history. */
export function addReasonOptions(command: Command): Command {
  return command
    .option('--reason <text>', 'reason, at most 256 characters; it is kept in the history')
    .addOption(
      new Option('--ticket <ticket>', 'ticket behind it, such as INC-1234; it is kept in the history').argParser(
        parserOf(ticketSchema),
      ),
    );
}

/** The reason and the ticket as members of a request. */
export function reasonBody({ reason, ticket }: ReasonOptions) {
  return { reason, ticket };
}

/** `--app`, which can be given several times. */
export function appsOption(
  meaning = 'application that it may ask about or change; repeat the option for several',
): Option {
  const parse = parserOf(appIdSchema);
  return new Option('--app <app>', meaning).argParser((text, earlier: readonly string[] = []) => [
    ...earlier,
    parse(text),
  ]);
}

/** `--scope`, which can be given several times. */
export function scopeOption(): Option {
  return oneOfScopes(scopes, `${defaultKeyScopes}`);
}

/** The option that names scopes of a key. */
export function oneOfScopes(known: readonly string[], byDefault: string): Option {
  return severalOf('--scope <scope>', known, `scope of the key; repeat the option for several (default: ${byDefault})`);
}

/** An option that can be given several times, with these values. */
export function severalOf(flags: string, known: readonly string[], description: string): Option {
  const collect = (text: string, earlier: readonly string[] = []): readonly string[] => {
    if (!known.includes(text)) throw new InvalidArgumentError(`Allowed values: ${known.join(', ')}.`);
    return [...earlier, text];
  };
  return new Option(flags, description).choices(known).argParser(collect);
}

/** A parser that rejects what the service would reject, before a request is sent. */
export function parserOf<Output>(schema: v.GenericSchema<unknown, Output>): (text: string) => Output {
  return (text) => {
    const { success, output, issues } = v.safeParse(schema, text);
    if (success) return output;
    throw new InvalidArgumentError(`It ${issues[0].message}.`);
  };
}

/** The examples at the end of a command's help, each without the name of the program. */
export function examples(...lines: readonly string[]): (context: AddHelpTextContext) => string {
  return ({ command }) => {
    const program = programOf(command).name();
    const shown = lines.map((line) => `  $ ${program} ${line.replaceAll(ownName, program)}`);
    return `\nExamples:\n${shown.join('\n')}`;
  };
}

function parseKeyId(text: string): string {
  if (/^svk_[a-zA-Z0-9_-]+$/.test(text)) return text;
  throw new InvalidArgumentError('It must be a key id; "keys list" shows them.');
}

function expiryOption(flags: string, description: string, parse: (typed: string) => unknown): Option {
  return new Option(flags, `${description}: ${expiryFormats}`).argParser(parse);
}

function parseSpan(text: string): string {
  const seconds = parseDuration(text);
  if (seconds !== undefined) return `PT${seconds}S`;
  throw new InvalidArgumentError('It must be a duration such as 0s, 90s, 15m, 2h, 1d, 2w, PT24H.');
}

function parsePercent(text: string): number {
  const percent = /^\d{1,3}(?:\.\d{1,2})?%?$/.test(text) ? Number.parseFloat(text) : Number.NaN;
  if (percent <= fullRollout) return percent;
  throw new InvalidArgumentError(`It must be a number from 0 to ${fullRollout} with at most two decimals.`);
}

/** Returns `none` instead of `null`, which commander treats as no argument. */
function wholeNumberOrNone(max: number): (text: string) => number | 'none' {
  return (text) => {
    if (text === 'none') return text;
    const count = /^\d{1,6}$/.test(text) ? Number(text) : 0;
    if (count >= 1 && count <= max) return count;
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${max}, or none.`);
  };
}

function parseTimeout(text: string): number {
  const seconds = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (seconds >= 1 && seconds <= maxTimeoutSeconds) return seconds;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${maxTimeoutSeconds}.`);
}

const maxTimeoutSeconds = 600;

function parseLimit(text: string): number {
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= maxPageSize) return limit;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${maxPageSize}.`);
}

export function usersFileOption(): Option {
  return new Option(
    '--users-file <file>',
    'file of user ids or e-mail addresses, or a CSV table of them; # starts a comment; - is standard input',
  );
}

export function failuresFileOption(): Option {
  return new Option('--failures-file <file>', 'where to write the failed ids, in the format of --users-file');
}

export function dryRunOption(): Option {
  return new Option('--dry-run', 'show what would change, without changing anything; requires --users-file');
}

/** Throws if options that need a file were passed for a single user. */
export function requireUsersFile({ failuresFile, dryRun }: { failuresFile?: string; dryRun?: boolean }): void {
  if (failuresFile !== undefined) throw notSent('--failures-file requires --users-file.');
  if (dryRun) throw notSent('--dry-run requires --users-file.');
}

/** An id whose position depends on the options. */
export function parseId<Output>(
  schema: v.GenericSchema<unknown, Output>,
  name: string,
  text: string | undefined,
): Output {
  const { success, output, issues } = v.safeParse(schema, text);
  if (success) return output;
  throw notSent(`<${name}> ${issues[0].message}, not ${JSON.stringify(text)}.`);
}
