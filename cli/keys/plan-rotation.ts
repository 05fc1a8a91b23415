import { type ListedKeyView, maxKeysPerApplication } from '#shared/contract/api-key.ts';
import { maxPageSize } from '#shared/contract/fields.ts';
import { groupBy } from '#shared/integrity/group-by.ts';
import type { CommandContext } from '../service/command-context.ts';
import { limitNote, pageQuery } from '../service/show-pages.ts';
import { CliError, problemOfOne } from '../terminal/cli-error.ts';
import type { PlannedKey } from './rotation-folder.ts';

export interface RotateAllOptions {
  readonly root: string;
  /** ISO 8601, such as `PT0S`. */
  readonly overlap: string;
  readonly out: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export type RotationContext = CommandContext<RotateAllOptions>;

/** The overlap with which an old key ends with its rotation. */
export const atOnce = 'PT0S';

/** The keys to rotate. Asks, before the first is rotated, what would stop the run half-way. */
export async function planRotation(context: RotationContext): Promise<PlannedKey[]> {
  const active = await listActiveKeys(context);
  const planned = ofRoot(active, context.options.root);
  requireRoom(context, active, planned);
  await requireRotatable(context, planned);
  return planned;
}

/** Of an application whose old keys stay valid for a while, the old and the new ones count. */
function requireRoom(
  { options }: RotationContext,
  active: readonly PlannedKey[],
  planned: readonly PlannedKey[],
): void {
  if (options.overlap === atOnce) return;
  const [before, added] = [active, planned].map((keys) => groupBy(keys, ({ appId }) => appId));
  const crowded = [...(added ?? [])].flatMap(([appId, { length }]) => {
    const count = before?.get(appId)?.length ?? 0;
    return count + length > maxKeysPerApplication ? [`${appId}: ${count} active keys and ${length} new ones`] : [];
  });
  if (crowded.length === 0) return;
  const applications = crowded.length === 1 ? '1 application' : `${crowded.length} applications`;
  throw new CliError(
    `${applications} would have more than ${maxKeysPerApplication} keys during the overlap. Nothing was rotated.`,
    { notes: [...crowded, 'Revoke keys that are not in use, or rotate with --overlap 0s.'] },
  );
}

/** By a dry run of the first key that has not ended meanwhile: what it is refused with, all others would be too. */
async function requireRotatable({ client, options }: RotationContext, planned: readonly PlannedKey[]): Promise<void> {
  for (const key of planned) {
    try {
      await client.call('rotate-key', { path: key, query: { dryRun: true }, body: rotationOf(options) });
      return;
    } catch (error) {
      problemOfOne(error, ofOneKey);
    }
  }
}

/** What each key is rotated with. */
export function rotationOf({ overlap, root }: RotateAllOptions) {
  return { overlap, avoidRoot: root };
}

/** The active keys of all applications. */
export async function listActiveKeys({ client }: RotationContext): Promise<PlannedKey[]> {
  const keys: ListedKeyView[] = [];
  let cursor: string | undefined;
  do {
    const query = { state: 'active' as const, ...pageQuery(maxPageSize, cursor) };
    const page = await client.call('list-all-keys', { query });
    if (page.limitedTo !== undefined) throw notAll(page.limitedTo);
    keys.push(...page.items);
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  return keys.map(({ appId, keyId }) => ({ appId, keyId }));
}

/** Else a run over some applications would look like one over all. */
function notAll(limitedTo: readonly string[]): CliError {
  return new CliError('Rotating all keys needs an admin of all applications.', { notes: [limitNote(limitedTo)] });
}

/** Those of a root version. */
export function ofRoot(keys: readonly PlannedKey[], root: string): PlannedKey[] {
  return keys.filter(({ keyId }) => keyId.startsWith(`svk_${root}_`));
}

/** What can be wrong with one key or application alone. */
export const ofOneKey = ['key_not_found', 'application_not_found', 'too_many_keys'];
