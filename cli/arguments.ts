import { Argument, InvalidArgumentError, Option } from 'commander';
import * as v from 'valibot';
import { appIdSchema, roleNameSchema, userIdSchema } from '#shared/contract/ids.ts';
import { maxPageSize } from '#shared/contract/limits.ts';
import { type Scope, scopes } from '#shared/contract/routes.ts';
import { readDuration } from './read-duration.ts';
import { readUntil, type Until, untilForms } from './read-until.ts';

export const userArgument = () => new Argument('<user>', 'user id').argParser(fitting(userIdSchema));
export const appArgument = () => new Argument('<app>', 'application id').argParser(fitting(appIdSchema));
export const roleArgument = () => new Argument('<role>', 'role name').argParser(fitting(roleNameSchema));
export const keyArgument = () => new Argument('<key>', 'key id, such as svk_k1_billing_01JD…').argParser(readKeyId);

export const reasonOption = () => new Option('--reason <text>', 'why; kept in the history, at most 256 characters');
export const untilOption = () =>
  endOption('--until <when>', 'when the block ends by itself', (typed): Until => ({ typed, moment: readUntil(typed) }));
export const expiresOption = () => endOption('--expires <when>', 'when it ends by itself', (typed) => readUntil(typed));
export const overlapOption = () =>
  new Option('--overlap <duration>', 'how long the old key goes on: 0s to 30d')
    .argParser(readOverlap)
    .default('PT86400S', '1d');
export const forceOption = (holders: string) => new Option('--force', `also while ${holders}`);
export const yesOption = () => new Option('--yes', 'do not ask');
export const limitOption = () =>
  new Option('--limit <n>', `items to a page, 1 to ${maxPageSize} (default: 25, with --all 100)`).argParser(readLimit);

export const quietOption = () => new Option('--quiet', 'print nothing but the secret');

export function scopeOption(): Option {
  const collect = (text: string, earlier: readonly Scope[] = []): readonly Scope[] => {
    const scope = scopes.find((one) => one === text);
    if (scope === undefined) throw new InvalidArgumentError(`Allowed are ${scopes.join(', ')}.`);
    return [...earlier, scope];
  };
  const option = new Option('--scope <scope>', 'what the key may do; repeat it for several (default: everything)');
  return option.choices(scopes).argParser(collect);
}

/** Refuses what the service would refuse, before anything is sent. */
export function fitting<Output>(schema: v.GenericSchema<unknown, Output>): (text: string) => Output {
  return (text) => {
    const { success, output, issues } = v.safeParse(schema, text);
    if (success) return output;
    throw new InvalidArgumentError(`It ${issues[0].message}.`);
  };
}

function readKeyId(text: string): string {
  if (/^svk_[a-zA-Z0-9_-]+$/.test(text)) return text;
  throw new InvalidArgumentError('It must be a key id; "keys list" shows them.');
}

function endOption(flags: string, description: string, read: (typed: string) => unknown): Option {
  return new Option(flags, `${description}: ${untilForms}`).argParser(read);
}

function readOverlap(text: string): string {
  const seconds = readDuration(text);
  if (seconds !== undefined) return `PT${seconds}S`;
  throw new InvalidArgumentError('Allowed are durations such as 0s, 90s, 15m, 2h, 1d, 2w, PT24H.');
}

function readLimit(text: string): number {
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= maxPageSize) return limit;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${maxPageSize}.`);
}
