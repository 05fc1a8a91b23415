import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Grid from '@cloudscape-design/components/grid';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ReactNode, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { ActionFields } from '../bulk/action-fields.tsx';
import { bulkActions } from '../bulk/bulk-actions.ts';
import { BulkResult } from '../bulk/bulk-result.tsx';
import { rowsOf } from '../bulk/outcome-rows.ts';
import { OutcomeTable } from '../bulk/outcome-table.tsx';
import { PeopleField } from '../bulk/people-field.tsx';
import { useBulkRun, usePreview } from '../bulk/use-bulk-run.ts';
import { usePeople } from '../bulk/use-people.ts';
import { settingOf, useDraft } from '../bulk/use-setting.ts';
import { ProblemAlert } from '../lists/problem-alert.tsx';
import { Breadcrumbs } from '../shell/breadcrumbs.tsx';
import { usePageTitle } from '../shell/frame.tsx';

const previewLabels = {
  changed: 'Will change',
  unchanged: 'Stays as it is',
  failed: 'Cannot be changed',
  waiting: 'Checking',
};

/** Blocks, opens, grants, revokes or deactivates for many users at once, after it has shown what would change. */
export default function BulkPage() {
  usePageTitle('Many users');
  const [parameters] = useSearchParams();
  const { state } = useLocation();
  const [text, setText] = useState(() => namesIn(state));
  const [draft, changeDraft] = useDraft(parameters);
  // One end for the preview and the run, however long the operator looks at the preview.
  const [openedAt] = useState(Date.now);
  const setting = settingOf(draft, openedAt);
  const people = usePeople(text);
  const { run, isRunning, start, stop, clear } = useBulkRun();
  const userIds = people.users.map(({ userId }) => userId);
  const isReady = run === undefined && !people.isFinding;
  const preview = usePreview(setting, userIds, isReady);
  if (run !== undefined) {
    return (
      <Page>
        <BulkResult
          run={run}
          people={people}
          isRunning={isRunning}
          onStop={stop}
          onAgain={() => {
            setText('');
            clear();
          }}
        />
      </Page>
    );
  }
  const { outcomes = [] } = preview;
  const rows = rowsOf(people.users, people.unclear, outcomes);
  const toSend = outcomes.filter(({ outcome }) => outcome !== 'unchanged');
  const changing = outcomes.filter(({ outcome }) => outcome === 'changed');
  const { verb = '' } = bulkActions.find(({ id }) => id === draft.action) ?? {};
  return (
    <Page>
      <Container>
        <Grid gridDefinition={[{ colspan: { default: 12, s: 6 } }, { colspan: { default: 12, s: 6 } }]}>
          <PeopleField text={text} onChange={setText} people={people} />
          <ActionFields draft={draft} onChange={changeDraft} />
        </Grid>
      </Container>
      <ProblemAlert error={people.error ?? preview.error} />
      <SpaceBetween direction="horizontal" size="s" alignItems="center">
        <Button
          variant="primary"
          disabled={setting === undefined || changing.length === 0}
          loading={preview.isFetching}
          onClick={() =>
            setting &&
            void start(
              setting,
              toSend.map(({ userId }) => userId),
            )
          }
        >
          {`${verb} ${countOf(changing.length)}`}
        </Button>
        <Box color="text-body-secondary">
          <span role="status">
            {describe({ hasSetting: setting !== undefined, count: people.count, rows: outcomes.length })}
          </span>
        </Box>
      </SpaceBetween>
      {people.count > 0 && !people.isFinding && setting !== undefined && (
        <OutcomeTable title="What will change" rows={rows} labels={previewLabels} />
      )}
    </Page>
  );
}

function Page({ children }: { readonly children: ReactNode }) {
  return (
    <SpaceBetween size="l">
      <Breadcrumbs list={{ text: 'Users', href: '/users' }} current="Many users" />
      <Header variant="h1" description="Choose users and what to do. Nothing changes before you have seen what would.">
        Many users
      </Header>
      {children}
    </SpaceBetween>
  );
}

function countOf(count: number): string {
  return count === 1 ? '1 user' : `${count.toLocaleString('en')} users`;
}

function describe({ hasSetting, count, rows }: { hasSetting: boolean; count: number; rows: number }): string {
  if (count === 0) return 'Add users first.';
  if (!hasSetting) return 'Choose the rest to see what would change.';
  return rows === 0 ? '' : `Checked ${countOf(rows)}: nothing has changed yet.`;
}

/** Users that were selected in a list, one a line. */
function namesIn(state: unknown): string {
  const { userIds } = (state ?? {}) as { userIds?: unknown };
  return Array.isArray(userIds) ? userIds.map((userId) => `${csvCell(String(userId))}\n`).join('') : '';
}

/** An id may hold what divides the columns of a table. */
function csvCell(text: string): string {
  return /[,;"]/.test(text) ? `"${text}"` : text;
}
