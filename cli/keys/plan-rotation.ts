import { type ListedKeyView, maxKeysPerOwner } from '#shared/contract/api-key.ts';
import { maxPageSize } from '#shared/contract/fields.ts';
import { countOf } from '#shared/contract/wording.ts';
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

/** The overlap with which an old key expires as soon as it is rotated. */
export const atOnce = 'PT0S';

/** The keys to rotate. Checks, before the first rotation, for anything that would stop the run half-way. */
export async function planRotation(context: RotationContext): Promise<PlannedKey[]> {
  const active = await listActiveKeys(context);
  const planned = ofRoot(active, context.options.root);
  requireRoom(context, active, planned);
  await requireRotatable(context, planned);
  return planned;
}

/** During an overlap, both the old and the new keys count. */
function requireRoom(
  { options }: RotationContext,
  active: readonly PlannedKey[],
  planned: readonly PlannedKey[],
): void {
  if (options.overlap === atOnce) return;
  const [before, added] = [active, planned].map((keys) => groupBy(keys, ({ appId }) => appId));
  const crowded = [...(added ?? [])].flatMap(([appId, { length }]) => {
    const count = before?.get(appId)?.length ?? 0;
    if (count + length <= maxKeysPerOwner) return [];
    return [`${appId}: ${countOf(count, 'active key')} and ${countOf(length, 'new key')}`];
  });
  if (crowded.length === 0) return;
  const applications = countOf(crowded.length, 'application');
  throw new CliError(
    `${applications} would have more than ${maxKeysPerOwner} keys during the overlap. Nothing was rotated.`,
    { notes: [...crowded, 'Revoke unused keys, or rotate with --overlap 0s.'] },
  );
}

/** A dry run for the first key that is still active: any other error than that of one key would affect all keys. */
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

/** The body of each rotation. */
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

/** Otherwise a run over some applications would look like a run over all. */
function notAll(limitedTo: readonly string[]): CliError {
  return new CliError('Rotating all keys requires the admin role for all applications.', {
    notes: [limitNote(limitedTo)],
  });
}

/** The keys of a root version. */
export function ofRoot(keys: readonly PlannedKey[], root: string): PlannedKey[] {
  return keys.filter(({ keyId }) => keyId.startsWith(`svk_${root}_`));
}

/** Errors that concern only one key or application. */
export const ofOneKey = ['key_not_found', 'application_not_found', 'too_many_keys'];
