import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FileInput from '@cloudscape-design/components/file-input';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { KeptPage } from '#dashboard/forms/leave-question.tsx';
import {
  isEmpty,
  missingReason,
  noReason,
  type Reason,
  ReasonFields,
  reasonBody,
} from '#dashboard/forms/reason-fields.tsx';
import { ProblemAlert } from '#dashboard/lists/problem-alert.tsx';
import { saveFile } from '#dashboard/lists/save-file.ts';
import { Breadcrumbs } from '#dashboard/shell/breadcrumbs.tsx';
import { usePageTitle } from '#dashboard/shell/frame.tsx';
import { countOf } from '#shared/contract/wording.ts';
import { CsvError } from '#shared/csv/read-csv.ts';
import { importColumns } from '../import/import-rows.ts';
import { importSample } from '../import/import-sample.ts';
import { type CheckedFile, TooManyUsers } from './check-file.ts';
import { ImportDifferences, isConfirmed, RejectedTable } from './import-preview.tsx';
import { changedIn, ResumeRun, RunProgress, UndoRun } from './run-progress.tsx';
import { StickyActions } from './sticky-actions.tsx';
import type { Run } from './use-bulk-run.ts';
import { type ImportSetting, type ImportWork, rowsLeft, useCheckedFile, useImportRun } from './use-import.ts';

const unconfirmed: ImportSetting = { reactivate: false, unblock: false };

/** Imports users with their statuses, accesses and roles from a file, after the service has checked all of it. */
export default function ImportPage() {
  usePageTitle('Import users');
  const [round, setRound] = useState(0);
  return <Import key={round} onAgain={() => setRound((before) => before + 1)} />;
}

function Import({ onAgain }: { readonly onAgain: () => void }) {
  const { mutate, data: checked, error, isPending, checkedCount, reset } = useCheckedFile();
  const [setting, setSetting] = useState(unconfirmed);
  const [why, setWhy] = useState(noReason);
  const { run, start, resume, stop } = useImportRun();
  const isFileError = error instanceof CsvError || error instanceof TooManyUsers;
  const choose = ([file]: readonly File[]) => {
    setSetting(unconfirmed);
    if (file === undefined) reset();
    else mutate(file);
  };
  return (
    <SpaceBetween size="l">
      <Breadcrumbs list={{ text: 'Users', href: '/users' }} current="Import" />
      <Header
        variant="h1"
        description="Creates and changes users, statuses, accesses and roles from one file. Nothing changes until you confirm the preview."
      >
        Import users
      </Header>
      {run === undefined && (
        <Container>
          <FormField
            label="File"
            description={`CSV or JSON Lines with userId and any of these columns: ${importColumns.slice(1).join(', ')}. Only the columns of the file change.`}
            constraintText={isPending ? `Checked ${countOf(checkedCount, 'user')}…` : checked?.name}
            errorText={isFileError && error.message}
          >
            <SpaceBetween direction="horizontal" size="xs">
              <FileInput
                value={[]}
                accept=".csv,.tsv,.txt,.jsonl,text/csv,text/plain,application/jsonl"
                onChange={({ detail }) => choose(detail.value)}
              >
                {checked === undefined ? 'Choose a file' : 'Choose another file'}
              </FileInput>
              <Button onClick={() => saveFile('users.csv', new Blob([importSample], { type: 'text/csv' }))}>
                Download a sample
              </Button>
            </SpaceBetween>
          </FormField>
        </Container>
      )}
      {!isFileError && <ProblemAlert error={error} />}
      {checked !== undefined && run === undefined && !isPending && (
        <Preview
          checked={checked}
          setting={setting}
          onChange={(part) => setSetting((before) => ({ ...before, ...part }))}
          why={why}
          onWhy={setWhy}
          onStart={() => start({ checked, setting: { ...setting, ...reasonBody(why) }, problems: new Map() })}
        />
      )}
      {run !== undefined && <Result run={run} onStop={stop} onResume={resume} onAgain={onAgain} />}
    </SpaceBetween>
  );
}

interface PreviewProps {
  readonly checked: CheckedFile;
  readonly setting: ImportSetting;
  readonly onChange: (part: Partial<ImportSetting>) => void;
  readonly why: Reason;
  readonly onWhy: (why: Reason) => void;
  readonly onStart: () => void;
}

function Preview({ checked, setting, onChange, why, onWhy, onStart }: PreviewProps) {
  const { name, file, plan, rejected, needsReason } = checked;
  const count = plan.changing.length;
  const isReady = count > 0 && isConfirmed(checked, setting) && missingReason(why, needsReason) === undefined;
  return (
    <StickyActions
      status={describe(checked, setting)}
      action={
        <Button variant="primary" disabled={!isReady} onClick={onStart}>
          {`Import ${countOf(count, 'user')}`}
        </Button>
      }
    >
      <ImportDifferences checked={checked} setting={setting} onChange={onChange} />
      {count > 0 && (
        <KeptPage name="import" isSaved={isEmpty(why)}>
          <Container>
            <ReasonFields value={why} onChange={onWhy} isRequired={needsReason} />
          </Container>
        </KeptPage>
      )}
      {rejected.length > 0 && <RejectedTable name={name} file={file} rows={rejected} />}
    </StickyActions>
  );
}

function describe(checked: CheckedFile, setting: ImportSetting): string {
  const { file, rejected } = checked;
  if (!isConfirmed(checked, setting)) return 'Tick what gives users their access back, or correct the file.';
  const rows = `${rejected.length.toLocaleString('en')} of ${countOf(file.rowCount, 'row')}`;
  return rejected.length === 0 ? `All ${countOf(file.rowCount, 'row')} accepted.` : `${rows} rejected and left out.`;
}

interface ResultProps {
  readonly run: Run<ImportWork>;
  readonly onStop: () => void;
  readonly onResume: () => void;
  readonly onAgain: () => void;
}

function Result({ run, onStop, onResume, onAgain }: ResultProps) {
  const { name, file } = run.work.checked;
  const left = run.state === 'ended' ? rowsLeft(run) : [];
  const note = <Alert type="info">Undoing keeps created users, names and e-mail addresses.</Alert>;
  return (
    <SpaceBetween size="l">
      <RunProgress
        run={run}
        done="Imported"
        onStop={onStop}
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            <ResumeRun run={run} onClick={onResume} />
            <UndoRun run={run} />
            <Button onClick={onAgain}>Import another file</Button>
          </SpaceBetween>
        }
        note={changedIn(run) > 0 && note}
      />
      {left.length > 0 && <RejectedTable name={name} file={file} rows={left} title="Rows that are left" />}
    </SpaceBetween>
  );
}
