import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ReactNode, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { KeptPage } from '#dashboard/forms/leave-question.tsx';
import { ProblemAlert } from '#dashboard/lists/problem-alert.tsx';
import { Breadcrumbs } from '#dashboard/shell/breadcrumbs.tsx';
import { usePageTitle } from '#dashboard/shell/frame.tsx';
import { countOf } from '#shared/contract/wording.ts';
import { ActionFields } from './action-fields.tsx';
import { bulkActions, partsOf } from './bulk-actions.ts';
import { BulkResult } from './bulk-result.tsx';
import { rowsOf } from './outcome-rows.ts';
import { type OutcomeRow, OutcomeTable } from './outcome-table.tsx';
import { PeopleField } from './people-field.tsx';
import { StickyActions } from './sticky-actions.tsx';
import { useBulkRun, usePreview } from './use-bulk-run.ts';
import { usePeople } from './use-people.ts';
import { type Draft, settingOf, useDraft } from './use-setting.ts';

const kinds = ['changed', 'unchanged', 'failed'] as const;
const previewLabels = {
  changed: 'Will change',
  unchanged: 'Already in this state',
  failed: "Can't be changed",
  waiting: 'Checking…',
};

/** Changes the access, a role or the global status of many users, after a preview. */
export default function BulkPage() {
  usePageTitle('Bulk change');
  const [parameters] = useSearchParams();
  const { state } = useLocation();
  const [text, setText] = useState(() => namesIn(state));
  const [draft, changeDraft] = useDraft(parameters);
  // The preview and the run use the same end, however long the operator looks at the preview.
  const [openedAt] = useState(Date.now);
  const setting = settingOf(draft, openedAt);
  const people = usePeople(text);
  const { run, start, resume, stop, clear } = useBulkRun();
  const userIds = people.users.map(({ userId }) => userId);
  const isReady = run === undefined && !people.isFinding;
  const preview = usePreview(setting, userIds, isReady);
  if (run !== undefined) {
    return (
      <Page>
        <BulkResult
          run={run}
          people={people}
          onStop={stop}
          onResume={resume}
          onAgain={() => {
            setText('');
            clear();
          }}
        />
      </Page>
    );
  }
  const { outcomes = [] } = preview;
  const rows = rowsOf(people.users, people.unrecognized, outcomes);
  const toSend = outcomes.filter(({ outcome }) => outcome !== 'unchanged');
  const changing = outcomes.filter(({ outcome }) => outcome === 'changed');
  const { verb = '' } = bulkActions.find(({ id }) => id === draft.action) ?? {};
  return (
    <Page description="Add users and choose an action. Nothing changes until you confirm the preview.">
      <StickyActions
        status={describe({
          draft,
          isComplete: setting !== undefined,
          count: people.count,
          rows: outcomes.length === 0 ? [] : rows,
        })}
        action={
          <Button
            variant="primary"
            disabled={setting === undefined || changing.length === 0}
            loading={preview.isFetching}
            onClick={() => setting && start({ setting, userIds: toSend.map(({ userId }) => userId) })}
          >
            {`${verb} ${countOf(changing.length, 'user')}`}
          </Button>
        }
      >
        <KeptPage name="bulk change" isSaved={text === ''}>
          <div style={columns}>
            <Container>
              <PeopleField text={text} onChange={setText} people={people} />
            </Container>
            <div style={{ gridRow: 'span 2' }}>
              <Container>
                <ActionFields draft={draft} onChange={changeDraft} />
              </Container>
            </div>
            {people.count > 0 && !people.isFinding && setting !== undefined && (
              <OutcomeTable title="Preview" rows={rows} labels={previewLabels} />
            )}
          </div>
        </KeptPage>
        <ProblemAlert error={people.error ?? preview.error} />
      </StickyActions>
    </Page>
  );
}

/** The preview stands below the users, beside the action; in a narrow window, below both. */
const columns = {
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 26rem), 1fr))',
  gridTemplateRows: 'auto 1fr',
  gap: '1rem',
  alignItems: 'start',
} as const;

function Page({ description, children }: { readonly description?: string; readonly children: ReactNode }) {
  return (
    <SpaceBetween size="l">
      <Breadcrumbs list={{ text: 'Users', href: '/users' }} current="Bulk change" />
      <Header variant="h1" {...(description && { description })}>
        Bulk change
      </Header>
      {children}
    </SpaceBetween>
  );
}

interface Progress {
  readonly draft: Draft;
  readonly isComplete: boolean;
  readonly count: number;
  /** The preview; empty until it is known. */
  readonly rows: readonly OutcomeRow[];
}

/** What is missing for the preview, or how many users it covers. */
function describe({ draft, isComplete, count, rows }: Progress): string {
  if (count === 0) return 'Add users to preview the change.';
  if (isComplete) {
    if (rows.length === 0) return '';
    const parts = kinds.map((kind) => [kind, rows.filter((row) => row.kind === kind).length] as const);
    const counted = parts
      .filter(([, found]) => found > 0)
      .map(([kind, found]) => `${previewLabels[kind]}: ${found.toLocaleString('en')}`);
    return `Preview of ${countOf(rows.length, 'user')}: nothing has changed yet. ${counted.join(' · ')}`;
  }
  const parts = partsOf[draft.action];
  if (parts.includes('app') && draft.appId === '') return 'Choose an application to preview the change.';
  if (parts.includes('role') && draft.role === '') return 'Choose a role to preview the change.';
  return 'Enter a date and time to preview the change.';
}

/** Users that were selected in a list, one per line. */
function namesIn(state: unknown): string {
  const { userIds } = (state ?? {}) as { userIds?: unknown };
  return Array.isArray(userIds) ? userIds.map((userId) => `${csvCell(String(userId))}\n`).join('') : '';
}

/** A user ID can contain a column delimiter. */
function csvCell(text: string): string {
  return /[,;"]/.test(text) ? `"${text}"` : text;
}
