import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ComponentType, Suspense, useContext } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { type BulkRecord, describeUndone } from '#dashboard/history/bulk-record.ts';
import { type Names, useNames } from '#dashboard/history/use-names.ts';
import { localTimeText } from '#dashboard/lists/local-time-text.ts';
import { ProblemAlert } from '#dashboard/lists/problem-alert.tsx';
import { Spinner } from '#dashboard/lists/query-status.tsx';
import { BulksContext } from '#dashboard/options/bulks-context.ts';
import type { BulkKind, BulkKindProps } from '#dashboard/options/option-pages.ts';
import { useOperator } from '#dashboard/session/use-operator.ts';
import { Breadcrumbs } from '#dashboard/shell/breadcrumbs.tsx';
import { usePageTitle } from '#dashboard/shell/frame.tsx';
import { lazyPart } from '#dashboard/shell/lazy-part.tsx';
import type { Change } from '#shared/contract/change.ts';
import { differences } from '#shared/contract/change-words.ts';
import { undoBulkPath } from './bulk-paths.ts';
import { BulkSummary, useBulk } from './bulk-summary.tsx';
import { type OutcomeRow, OutcomeTable } from './outcome-table.tsx';
import { describeKind } from './undo-rows.ts';

const labels = { changed: 'Changed', unchanged: 'Undone', failed: '', waiting: '' };

/** What a bulk change did, for whom, and what of it was undone. */
export default function BulkRecordPage() {
  const { bulkId = '' } = useParams();
  const [parameters] = useSearchParams();
  const appId = parameters.get('app') ?? undefined;
  const navigate = useNavigate();
  const { may } = useOperator();
  const { data: record, error, isPending, refetch } = useBulk({ bulkId, appId });
  const names = useNames((record?.changes ?? []).flatMap(({ userId = [] }) => userId));
  const { kindOf } = useContext(BulksContext);
  const kind = record && kindOf(record.changes);
  const userId = record?.changes[0]?.userId ?? '';
  const title = kind === undefined ? 'Bulk change' : `${kind.word} ${names.userName(userId) ?? userId}`;
  usePageTitle(title);
  const Part = kind && partOf(kind);
  const mayUndo = appId === undefined ? may('undo-status-bulk') : may('undo-bulk', appId);
  return (
    <SpaceBetween size="l">
      <Breadcrumbs list={{ text: 'History', href: '/history' }} current={title} />
      <Header
        variant="h1"
        description={`ID ${bulkId}`}
        actions={
          mayUndo &&
          record &&
          record.changes.length > 0 && (
            <Button
              disabled={describeUndone(record) === 'Undone'}
              disabledReason="It is undone."
              onClick={() => navigate(undoBulkPath({ bulkId, appId }))}
            >
              Undo…
            </Button>
          )
        }
      >
        {title}
      </Header>
      <ProblemAlert error={error} retry={() => void refetch()} />
      {isPending && <Spinner of="the changes" />}
      {record && record.changes.length === 0 && (
        <Alert type="info">The history has no changes of this bulk change. New ones appear within seconds.</Alert>
      )}
      {record && record.changes.length > 0 && (
        <SpaceBetween size="l">
          <Container>
            <SpaceBetween size="m">
              <BulkSummary record={record} names={names} />
              {Part && (
                <Suspense>
                  <Part bulkId={bulkId} changes={record.changes} displayName={names.userName(userId)} />
                </Suspense>
              )}
            </SpaceBetween>
          </Container>
          {record.isCut && <Alert type="info">Only the newest changes are listed. Export the history for all.</Alert>}
          <OutcomeTable title="Changes" rows={rowsOf(record, names)} labels={labels} />
        </SpaceBetween>
      )}
    </SpaceBetween>
  );
}

const parts = new Map<BulkKind, ComponentType<BulkKindProps>>();

/** The part of a kind, made once: another component would be mounted again. */
function partOf(kind: BulkKind): ComponentType<BulkKindProps> {
  const part = parts.get(kind) ?? lazyPart(kind.lazy);
  parts.set(kind, part);
  return part;
}

function rowsOf({ changes, undone }: BulkRecord, names: Names): OutcomeRow[] {
  const kindIn = describeKind(changes, names);
  return changes.map((change) => {
    const { id, userId = '' } = change;
    const kind = undone.has(id) ? 'unchanged' : 'changed';
    const displayName = names.userName(userId);
    const detail = [kindIn(change), describeDifferences(change)].filter(Boolean).join('; ');
    return { key: id, name: userId, userId, displayName, kind, detail };
  });
}

function describeDifferences(change: Change): string {
  return differences(change, localTimeText)
    .map(({ name, before, after }) => `${name}: ${before === undefined ? '' : `${before} → `}${after ?? 'none'}`)
    .join('; ');
}
