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
  const moved = new Map(written.map(({ after }) => [nameOf(subjectOf(after as unknown as StoredChange)), after]));
  return mutations.flatMap((mutation) => {
    const { before, after, sk } = mutation;
    const { integrity } = (moved.get(nameOf(mutation)) ?? {}) as ExportedChange;
    const [from, to] = [before?.chainHead ?? null, after?.chainHead ?? null];
    if (isChange({ sk }) || after === undefined) return [];
    if (integrity === undefined) return from === to ? [] : [`${nameOf(mutation)} has another head without a Change`];
    if (integrity.previous !== from) return [`${nameOf(mutation)} had the head ${from}, not ${integrity.previous}`];
    return integrity.mac === to ? [] : [`${nameOf(mutation)} has the head ${to}, not ${integrity.mac}`];
  });
}

function nameOf({ pk, sk }: Pick<Mutation, 'pk' | 'sk'>): string {
  return `${pk} ${sk}`;
}
