import { createSecretKey } from 'node:crypto';
import { type ExportedChange, followLinks } from '#shared/integrity/chain-breaks.ts';
import { isChangeMacValid } from '#shared/integrity/change-mac.ts';
import { redactChange } from '#shared/integrity/redact-change.ts';
import { deriveChainKey } from '#shared/keys/chain-keys.ts';
import type { Mutation } from '../../../local/memory/memory-table.ts';
import { rootBytes } from '../prepare-process.ts';
import type { Run } from '../run-seed.ts';
import type { Commit } from '../simulated-dynamodb.ts';
import { isChange, type StoredChange, subjectOf } from '../stored-state.ts';

const key = deriveChainKey(createSecretKey(rootBytes));

/**
 * Checks that the MAC of each Change is correct, whole and redacted. Each Change names the previous head of its
 * subject's item and becomes its head, and nothing else moves a head. Following the links finds no break, neither among
 * all Changes ever made, as in an archive, nor among those that are left.
 */
export function checkMacs({ changes, commits, items }: Run): string[] {
  const all = changes.map(({ change }) => change as unknown as ExportedChange);
  const left = items.filter(isChange) as unknown as ExportedChange[];
  return [
    ...all.filter((change) => !isRight(withoutKeys(change))).map(({ id, action }) => `${action} ${id} has another MAC`),
    ...commits.flatMap(wrongHeads),
    ...[all, left].flatMap((exported) => followLinks(exported).broken.map((broken) => JSON.stringify(broken))),
  ];
}

/** A Change in the form that readers receive. */
function withoutKeys({ pk, sk, gsi1pk, gsi1sk, gsi2pk, gsi2sk, by, ttl, ...change }: ExportedChange): ExportedChange {
  return change as ExportedChange;
}

function isRight(change: ExportedChange): boolean {
  const redacted = redactChange(change);
  const again = redacted && redactChange(redacted);
  return again !== undefined && isChangeMacValid(again, key);
}

function wrongHeads({ mutations }: Commit): string[] {
  const written = mutations.filter(({ sk, before, after }) => isChange({ sk }) && !before && after);
  const moved = Map.groupBy(
    written.map(({ after }) => after as unknown as ExportedChange & StoredChange),
    (change) => nameOf(subjectOf(change)),
  );
  return mutations.flatMap((mutation) => {
    if (isChange({ sk: mutation.sk }) || mutation.after === undefined) return [];
    const wrong = wrongHead(mutation, moved.get(nameOf(mutation)) ?? []);
    return wrong === undefined ? [] : [`${nameOf(mutation)} ${wrong}`];
  });
}

/** A request of a directory may make several changes of a user, each linked to the one before it. */
function wrongHead({ before, after }: Mutation, changes: readonly ExportedChange[]): string | undefined {
  const links = changes.toSorted((one, other) => (one.id < other.id ? -1 : 1)).map(({ integrity }) => integrity);
  const [first, last] = [links[0], links.at(-1)];
  const [from, to] = [before?.chainHead ?? null, after?.chainHead ?? null];
  if (first === undefined || last === undefined) return from === to ? undefined : 'has another head without a Change';
  if (first.previous !== from) return `had the head ${from}, not ${first.previous}`;
  return last.mac === to ? undefined : `has the head ${to}, not ${last.mac}`;
}

function nameOf({ pk, sk }: Pick<Mutation, 'pk' | 'sk'>): string {
  return `${pk} ${sk}`;
}
