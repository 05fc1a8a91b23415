import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { inBatches, outcomesOf } from '#dashboard/api/in-batches.ts';
import type { reasonBody } from '#dashboard/forms/reason-fields.tsx';
import { useNewWriter } from '#dashboard/session/dashboard-context.ts';
import type { BulkOutcome } from '#shared/contract/bulk.ts';
import type { ImportedUser, ImportProblem } from '../contract/user-import.ts';
import { outcomeOf } from '../import/import-plan.ts';
import type { RejectedRow } from '../import/rejected-rows.ts';
import { type CheckedFile, checkFile } from './check-file.ts';
import { type Run, useRun } from './use-bulk-run.ts';

/** Reads a file and asks the service what it would change, as if everything were confirmed. */
export function useCheckedFile() {
  const newWriter = useNewWriter();
  const [checkedCount, setCheckedCount] = useState(0);
  const check = useMutation({
    mutationFn: (given: File) => {
      setCheckedCount(0);
      return checkFile(given, newWriter, (count) => setCheckedCount((before) => before + count));
    },
  });
  return { ...check, checkedCount };
}

/** What is confirmed of an import. */
export interface ImportSetting {
  readonly reactivate: boolean;
  readonly unblock: boolean;
}

/** An import as it was confirmed. */
export interface ImportWork {
  readonly checked: CheckedFile;
  readonly setting: ImportSetting & ReturnType<typeof reasonBody>;
  /** What the service has refused since the check, by user. */
  readonly problems: Map<string, readonly ImportProblem[]>;
}

/** Runs an import. */
export function useImportRun() {
  return useRun<ImportWork, BulkOutcome>({
    name: 'Import',
    totalOf: ({ checked }) => checked.plan.changing.length,
    perform: ({ checked, setting, problems }, { bulkId, newWriter, answered, ...options }) =>
      inBatches<BulkOutcome, ImportedUser>(
        checked.plan.changing.filter(({ userId }) => !answered.has(userId)),
        (users) => {
          const write = newWriter();
          const send =
            (how: { readonly bulkId: string } | { readonly dryRun: true }) => async (some: readonly string[]) => {
              const waiting = users.filter(({ userId }) => some.includes(userId));
              const { items } = await write('import-users', {
                body: { users: waiting, create: checked.file.creates, ...how, ...setting },
              });
              for (const item of items) problems.set(item.userId, item.problems);
              return items.map(outcomeOf);
            };
          const userIds = users.map(({ userId }) => userId);
          return outcomesOf(userIds, send({ bulkId }), send({ dryRun: true }));
        },
        options,
      ),
  });
}

/** The rows that were not imported: rejected by the check, failed since, or not sent. */
export function rowsLeft({ work, outcomes }: Run<ImportWork>): readonly RejectedRow[] {
  const { checked, problems } = work;
  const { file, plan } = checked;
  const known = new Map(outcomes.map((outcome) => [outcome.userId, outcome]));
  const left = plan.changing.flatMap(({ userId }): [string, readonly ImportProblem[]][] => {
    const outcome = known.get(userId);
    if (outcome === undefined) return [[userId, [{ code: 'not_sent', detail: 'not sent' }]]];
    if (outcome.outcome !== 'failed') return [];
    // Only the outcome says that there was no answer.
    const own = outcome.problem?.code === 'unavailable' ? undefined : problems.get(userId);
    return [[userId, own ?? (outcome.problem ? [outcome.problem] : [])]];
  });
  return file.rejectedRows(new Map([...plan.problems, ...left]));
}
