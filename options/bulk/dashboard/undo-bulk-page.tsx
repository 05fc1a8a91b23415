import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router';
import { queryKeys } from '#dashboard/api/queries.ts';
import { KeptPage } from '#dashboard/forms/leave-question.tsx';
import { isEmpty, missingReason, noReason, ReasonFields, reasonBody } from '#dashboard/forms/reason-fields.tsx';
import type { BulkRecord } from '#dashboard/history/bulk-record.ts';
import { useNames } from '#dashboard/history/use-names.ts';
import { ProblemAlert } from '#dashboard/lists/problem-alert.tsx';
import { Spinner } from '#dashboard/lists/query-status.tsx';
import { useApi, useNewWriter } from '#dashboard/session/dashboard-context.ts';
import { useOperator } from '#dashboard/session/use-operator.ts';
import { Breadcrumbs } from '#dashboard/shell/breadcrumbs.tsx';
import { usePageTitle } from '#dashboard/shell/frame.tsx';
import { countOf } from '#shared/contract/wording.ts';
import type { UndoOutcome } from '../contract/bulk-undo.ts';
import { bulkPath } from './bulk-paths.ts';
import { BulkSummary, useBulk } from './bulk-summary.tsx';
import { OutcomeTable } from './outcome-table.tsx';
import { RunProgress } from './run-progress.tsx';
import { undoneAtOnce } from './undo-at-once.ts';
import { changeIdOf, countChanges, previewUndo, type UndoWork, undoPages } from './undo-pages.ts';
import { countUsersOf, previewRows, undoRows, withUndone } from './undo-rows.ts';
import { type Run, useRun } from './use-bulk-run.ts';

const shared = { unchanged: 'Already in this state', failed: "Can't be undone" };
const previewLabels = { ...shared, changed: 'Can be undone', waiting: '' };
const doneLabels = { ...shared, changed: 'Undone', waiting: 'Not undone' };

/** Undoes a bulk change, after a preview. */
export default function UndoBulkPage() {
  usePageTitle('Undo bulk change');
  const { bulkId = '' } = useParams();
  const [parameters] = useSearchParams();
  // One application, several, or all places that the bulk changed.
  const given = parameters.getAll('app');
  const appId = given.length === 1 ? (given[0] ?? '') : '';
  const { state } = useLocation();
  const [why, setWhy] = useState(undoneAtOnce(state) ?? noReason);
  const { needsReason } = useOperator();
  const api = useApi();
  const application = useQuery({
    queryKey: queryKeys.application(appId),
    enabled: appId !== '',
    queryFn: ({ signal }) => api('get-application', { path: { appId }, signal }),
  });
  const { record, run, pages, rows, names, error, isReading, undo, resume, stop } = useUndo({
    bulkId,
    given,
    why: reasonBody(why),
  });
  const isRequired = needsReason(application.data?.requireReason);
  const isReady = !isReading && error === null && (appId === '' || application.isSuccess);
  useUndoAtOnce(isReady && missingReason(why, isRequired) === undefined, undo);
  return (
    <SpaceBetween size="l">
      <Breadcrumbs list={{ text: 'Bulk change', href: bulkPath({ bulkId, appId }) }} current="Undo" />
      <Header
        variant="h1"
        description="Users who were modified since the bulk change are skipped."
        actions={run === undefined && <UndoButton count={countUsersOf(rows, 'changed')} onClick={undo} />}
      >
        Undo bulk change
      </Header>
      <ProblemAlert error={error} />
      {record && record.changes.length > 0 && (
        <Container>
          <BulkSummary record={record} names={names} />
        </Container>
      )}
      {run === undefined && (
        <KeptPage name="undo bulk change" isSaved={isEmpty(why)}>
          <ReasonFields value={why} onChange={setWhy} isRequired={isRequired} />
        </KeptPage>
      )}
      {isReading && <Spinner of="the changes" />}
      {run && <UndoProgress run={run} left={countUsersOf(rows, 'waiting')} onStop={stop} onUndo={resume} />}
      {pages && <OutcomeTable title="Changes" rows={rows} labels={run ? doneLabels : previewLabels} />}
    </SpaceBetween>
  );
}

/** Starts the undo once it is ready, if the navigation to this page says so; not again when the page is reloaded. */
function useUndoAtOnce(isReady: boolean, undo: () => void): void {
  const { state, pathname, search } = useLocation();
  const navigate = useNavigate();
  const isAsked = undoneAtOnce(state) !== undefined;
  useEffect(() => {
    if (!isAsked || !isReady) return;
    navigate(pathname + search, { replace: true, state: null });
    undo();
  });
}

interface UndoOptions {
  readonly bulkId: string;
  /** The applications; none for all places that the bulk changed. */
  readonly given: readonly string[];
  readonly why: ReturnType<typeof reasonBody>;
}

/** The preview of an undo, then its run. */
function useUndo({ bulkId, given, why }: UndoOptions) {
  const newWriter = useNewWriter();
  const { data: record, error: unread } = useBulk({ bulkId, appId: given.length === 1 ? given[0] : undefined });
  const appIds = given.length > 0 ? given : placesOf(record);
  const { run, start, resume, stop } = useUndoRun();
  // What can be undone depends on whether there is a reason, not on what it says.
  const hasReason = why.reason !== null;
  const preview = useQuery({
    queryKey: ['undo-bulk', bulkId, appIds, hasReason],
    enabled: run === undefined && (given.length > 0 || record !== undefined),
    queryFn: () => previewUndo(newWriter, { bulkId, appIds, why }),
    placeholderData: keepPreviousData,
  });
  const { pages = preview.data } = run?.work ?? {};
  const { outcomes = [] } = run ?? {};
  const names = useNames((pages ?? []).flatMap((page) => page.outcomes.map(({ userId }) => userId)));
  const words = { names, changes: record?.changes ?? [] };
  const rows = run === undefined ? previewRows(pages ?? [], words) : undoRows(run.work.pages, outcomes, words);
  return {
    run,
    pages,
    rows,
    names,
    undo: () => start({ bulkId, appIds, why, pages: pages ?? [] }),
    resume,
    stop,
    record: record && withUndone(record, outcomes),
    error: run?.error ?? preview.error ?? unread,
    isReading: run === undefined && preview.isPending,
  };
}

function useUndoRun() {
  return useRun<UndoWork, UndoOutcome>({
    name: 'Undo of a bulk change',
    noun: 'change',
    totalOf: ({ pages }) => countChanges(pages),
    keyOf: changeIdOf,
    perform: undoPages,
  });
}

interface UndoProgressProps {
  readonly run: Run<UndoWork, UndoOutcome>;
  /** How many users are left to undo it for. */
  readonly left: number;
  readonly onStop: () => void;
  readonly onUndo: () => void;
}

/** The progress of an undo, and the button that goes on with it. */
function UndoProgress({ run, left, onStop, onUndo }: UndoProgressProps) {
  const navigate = useNavigate();
  const { bulkId, appIds } = run.work;
  const [appId, ...others] = appIds;
  return (
    <RunProgress
      run={run}
      done="Undone for"
      noun="change"
      onStop={onStop}
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          {left > 0 && <UndoButton count={left} onClick={onUndo} />}
          <Button onClick={() => navigate(bulkPath({ bulkId, appId: others.length === 0 ? appId : undefined }))}>
            View the bulk change
          </Button>
        </SpaceBetween>
      }
    />
  );
}

function UndoButton({ count, onClick }: { readonly count: number; readonly onClick: () => void }) {
  return (
    <Button variant="primary" disabled={count === 0} disabledReason="Nothing can be undone." onClick={onClick}>
      {`Undo for ${countOf(count, 'user')}`}
    </Button>
  );
}

/** The applications that a bulk changed, and the empty id for the users themselves. */
function placesOf(record: BulkRecord | undefined): readonly string[] {
  return [...new Set(['', ...(record?.changes ?? []).map(({ appId = '' }) => appId)])];
}
