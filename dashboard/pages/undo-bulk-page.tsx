import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import type { UndoOutcome } from '#shared/contract/bulk-undo.ts';
import { readAll } from '#shared/contract/read-all.ts';
import { countOf } from '#shared/contract/wording.ts';
import type { Writer } from '../api/create-writer.ts';
import { queryKeys } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { BulkSummary, useBulk } from '../bulk/bulk-summary.tsx';
import { type OutcomeRow, OutcomeTable } from '../bulk/outcome-table.tsx';
import { KeptPage } from '../forms/leave-question.tsx';
import { isEmpty, noReason, type Reason, ReasonFields, reasonBody } from '../forms/reason-fields.tsx';
import type { BulkRecord } from '../history/bulk-record.ts';
import { type Names, useNames } from '../history/use-names.ts';
import { ProblemAlert } from '../lists/problem-alert.tsx';
import { Spinner } from '../lists/query-status.tsx';
import { useApi, useNewWriter } from '../session/dashboard-context.ts';
import { useOperator } from '../session/use-operator.ts';
import { Breadcrumbs } from '../shell/breadcrumbs.tsx';
import { usePageTitle } from '../shell/frame.tsx';
import { bulkPath } from '../shell/route-link.tsx';

const shared = { unchanged: 'Already in this state', failed: "Can't be undone", waiting: '' };
const previewLabels = { ...shared, changed: 'Can be undone' };
const doneLabels = { ...shared, changed: 'Undone' };

/** Undoes a bulk change, after a preview. */
export default function UndoBulkPage() {
  usePageTitle('Undo bulk change');
  const { bulkId = '' } = useParams();
  const [parameters] = useSearchParams();
  const appId = parameters.get('app') ?? '';
  const newWriter = useNewWriter();
  const [why, setWhy] = useState(noReason);
  const { needsReason } = useOperator();
  const api = useApi();
  const application = useQuery({
    queryKey: queryKeys.application(appId),
    enabled: appId !== '',
    queryFn: ({ signal }) => api('get-application', { path: { appId }, signal }),
  });
  const { data: record, error: unread } = useBulk({ bulkId, appId: appId || undefined });
  const appIds = appId !== '' ? [appId] : placesOf(record);
  // What can be undone depends on whether there is a reason, not on what it says.
  const hasReason = why.reason.trim() !== '';
  const preview = useQuery({
    queryKey: ['undo-bulk', bulkId, appIds, hasReason],
    enabled: appId !== '' || record !== undefined,
    queryFn: () => undoAll(newWriter(), { bulkId, appIds, why, dryRun: true }),
    placeholderData: keepPreviousData,
  });
  const queryClient = useQueryClient();
  const undo = useAction({
    mutationFn: () => undoAll(newWriter(), { bulkId, appIds, why, dryRun: false }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.changes }),
  });
  const undoable = preview.data?.filter(({ outcome }) => outcome === 'changed').length ?? 0;
  const outcomes = undo.data ?? preview.data;
  const names = useNames((outcomes ?? []).map(({ userId }) => userId));
  return (
    <SpaceBetween size="l">
      <Breadcrumbs list={{ text: 'Bulk change', href: bulkPath(bulkId, appId) }} current="Undo" />
      <Header
        variant="h1"
        description="Users who were modified since the bulk change are skipped."
        actions={
          undo.data === undefined && (
            <Button variant="primary" disabled={undoable === 0} loading={undo.isPending} onClick={() => undo.mutate()}>
              {`Undo for ${countOf(undoable, 'user')}`}
            </Button>
          )
        }
      >
        Undo bulk change
      </Header>
      <ProblemAlert error={undo.error ?? preview.error ?? unread} />
      {record && record.changes.length > 0 && (
        <Container>
          <BulkSummary record={record} names={names} />
        </Container>
      )}
      {undo.data === undefined && (
        <KeptPage name="undo bulk change" isPending={undo.isPending} isSaved={isEmpty(why)}>
          <ReasonFields value={why} onChange={setWhy} isRequired={needsReason(application.data?.requireReason)} />
        </KeptPage>
      )}
      {preview.isPending && <Spinner of="the changes" />}
      {undo.data && <Done outcomes={undo.data} />}
      {outcomes && (
        <OutcomeTable
          title="Changes"
          rows={outcomes.map((one) => rowOf(one, names))}
          labels={undo.data ? doneLabels : previewLabels}
        />
      )}
    </SpaceBetween>
  );
}

function Done({ outcomes }: { readonly outcomes: readonly UndoOutcome[] }) {
  const undone = outcomes.filter(({ outcome }) => outcome === 'changed').length;
  return (
    <div role="status">
      <Alert type="success">{`Undone for ${countOf(undone, 'user')}.`}</Alert>
    </div>
  );
}

function rowOf({ changeId, userId, outcome, problem }: UndoOutcome, names: Names): OutcomeRow {
  const detail = problem?.code === 'version_mismatch' ? 'Modified since.' : problem?.detail;
  const displayName = names.userName(userId);
  return { key: changeId, name: userId, userId, displayName, kind: outcome, code: problem?.code, detail };
}

/** The applications that a bulk changed, and the empty id for the users themselves. */
function placesOf(record: BulkRecord | undefined): readonly string[] {
  return [...new Set(['', ...(record?.changes ?? []).map(({ appId = '' }) => appId)])];
}

interface UndoAll {
  readonly bulkId: string;
  /** Empty for the global status. */
  readonly appIds: readonly string[];
  readonly why: Reason;
  readonly dryRun: boolean;
}

/** The index that lists the changes of a bulk change catches up within a second. */
const pauseMilliseconds = 1500;

/** Undoes all changes of a bulk change, then those that the index did not list at first. */
async function undoAll(write: Writer, command: UndoAll): Promise<readonly UndoOutcome[]> {
  const first = await undoPages(write, command);
  if (command.dryRun) return first;
  await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
  const known = new Set(first.map(({ changeId }) => changeId));
  const missed = await undoPages(write, command);
  return [...first, ...missed.filter(({ changeId }) => !known.has(changeId))];
}

async function undoPages(write: Writer, { bulkId, appIds, why, dryRun }: UndoAll): Promise<UndoOutcome[]> {
  const outcomes: UndoOutcome[] = [];
  for (const appId of appIds) {
    const found = await readAll((cursor) => {
      const page = { query: { limit: '100', cursor }, body: { dryRun, ...reasonBody(why) } };
      return appId === ''
        ? write('undo-status-bulk', { path: { bulkId }, ...page })
        : write('undo-bulk', { path: { appId, bulkId }, ...page });
    });
    outcomes.push(...found);
  }
  return outcomes;
}
