import * as v from 'valibot';
import { inBatches } from '#client/management/each-of.ts';
import type { ManagementClient } from '#client/management/management-client.ts';
import { createApplicationOperation } from '#shared/contract/application.ts';
import { countOf } from '#shared/contract/wording.ts';
import { type ImportRow, readImportTable } from '#shared/csv/import-table.ts';
import { CsvError } from '#shared/csv/read-csv.ts';
import type { CommandContext } from '../service/command-context.ts';
import { CliError, notSent, problemOfOne } from '../terminal/cli-error.ts';
import { readInput } from '../terminal/read-input.ts';

type Application = v.InferOutput<typeof createApplicationOperation.body>;

const columns = ['appId', 'name', 'rolloutPercent', 'requireReason'];

/** The number of applications that are created concurrently. */
const applicationsAtOnce = 4;

/**
 * Creates the applications of a file, after the service has checked all of them. Applications that match the file are
 * left alone, so that the command can be repeated.
 */
export async function createApplications(
  { client, options, show, terminal, announce }: CommandContext<{ readonly dryRun?: boolean }>,
  file: string,
): Promise<void> {
  const wanted = readApplications(await readInput(file, terminal), file);
  announce();
  const checks = await eachOf(wanted, (application) => check(client, application));
  const mistakes = checks.flatMap(({ problem }, at) =>
    problem === undefined ? [] : [`${wanted[at]?.appId}: ${problem}`],
  );
  if (mistakes.length > 0) {
    throw new CliError(`${countOf(mistakes.length, 'application')} cannot be created. Nothing was changed.`, {
      notes: mistakes,
    });
  }
  const missing = wanted.filter((_, at) => checks[at]?.exists === false);
  const unchanged = wanted.length - missing.length;
  if (options.dryRun !== true) await eachOf(missing, (body) => client.call('create-application', { body }));
  const counts = `${countOf(missing.length, 'application')}${unchanged > 0 ? `; ${unchanged} already existed` : ''}`;
  show(
    { created: missing.map(({ appId }) => appId), unchanged },
    options.dryRun ? `Dry run, nothing was written: would create ${counts}.` : `Created ${counts}.`,
  );
}

async function eachOf<Result>(
  applications: readonly Application[],
  work: (application: Application) => Promise<Result>,
) {
  const results: Result[] = [];
  for (const some of inBatches(applications, applicationsAtOnce)) results.push(...(await Promise.all(some.map(work))));
  return results;
}

/** Whether the application exists as wanted, or why it cannot be created. */
async function check(client: ManagementClient, body: Application): Promise<{ exists: boolean; problem?: string }> {
  try {
    await client.call('create-application', { query: { dryRun: true }, body });
    return { exists: false };
  } catch (error) {
    const { detail } = problemOfOne(error, ['already_exists']);
    const { appId, ...fields } = body;
    const found = await client.call('get-application', { path: { appId } }).catch((reading) => {
      problemOfOne(reading, ['application_not_found']);
    });
    if (found === undefined) return { exists: true, problem: detail };
    const differs = Object.entries(fields).find(([name, value]) => found[name as keyof typeof fields] !== value);
    if (differs === undefined) return { exists: true };
    return {
      exists: true,
      problem: `exists with another ${differs[0]}; change it with "apps update" or "apps rollout"`,
    };
  }
}

function readApplications(bytes: Uint8Array, file: string): Application[] {
  const { titles, rows } = readTable(bytes, file);
  const unknown = titles.filter((title) => !columns.includes(title));
  if (unknown.length > 0 || !titles.includes('appId')) {
    throw notSent(
      `${file} must have the column appId, and may have ${columns.slice(1).join(', ')}. Nothing was sent.`,
      [...(unknown.length > 0 ? [`Unknown: ${unknown.join(', ')}`] : [])],
    );
  }
  const seen = new Set<string>();
  const mistakes: string[] = [];
  const applications = rows.flatMap((row) => {
    const { success, output, issues } = v.safeParse(createApplicationOperation.body, bodyOf(row));
    if (!success) mistakes.push(`line ${row.line}: ${v.getDotPath(issues[0]) ?? ''} ${issues[0].message}`);
    else if (seen.has(output.appId)) mistakes.push(`line ${row.line}: duplicate application ${output.appId}`);
    if (!success) return [];
    seen.add(output.appId);
    return [output];
  });
  if (mistakes.length > 0) throw notSent(`${file} has mistakes. Nothing was sent.`, mistakes);
  return applications;
}

function readTable(bytes: Uint8Array, file: string) {
  try {
    return readImportTable(bytes);
  } catch (error) {
    if (error instanceof CsvError) throw notSent(`${file}: ${error.message} Nothing was sent.`);
    throw error;
  }
}

/** Empty cells are left out; the name is the id unless given. */
function bodyOf({ cells }: ImportRow): object {
  const given = [...cells].filter(([, value]) => value !== null && String(value).trim() !== '');
  const { rolloutPercent, ...texts } = Object.fromEntries(given);
  return {
    name: texts.appId,
    ...texts,
    ...(rolloutPercent !== undefined && { rolloutPercent: Number(rolloutPercent) }),
  };
}
