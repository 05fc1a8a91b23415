import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Checkbox from '@cloudscape-design/components/checkbox';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table from '@cloudscape-design/components/table';
import { pageButtons, useLoadedPages } from '#dashboard/lists/page-buttons.tsx';
import { saveFile } from '#dashboard/lists/save-file.ts';
import { countOf } from '#shared/contract/wording.ts';
import type { ImportFile } from '../import/import-file.ts';
import { confirmations, describeDifference, needsConfirmation } from '../import/import-plan.ts';
import type { RejectedRow } from '../import/rejected-rows.ts';
import type { CheckedFile } from './check-file.ts';
import type { ImportSetting } from './use-import.ts';

/** Whether everything that must be confirmed is. */
export function isConfirmed({ plan }: CheckedFile, setting: ImportSetting): boolean {
  return plan.differences.every(
    (difference) => !needsConfirmation(difference) || setting[confirmations[difference.effect]],
  );
}

interface ImportDifferencesProps {
  readonly checked: CheckedFile;
  readonly setting: ImportSetting;
  readonly onChange: (part: Partial<ImportSetting>) => void;
}

/** What the file will change. What gives access back has a check box of its own. */
export function ImportDifferences({ checked: { file, plan }, setting, onChange }: ImportDifferencesProps) {
  const { differences, unchanged } = plan;
  return (
    <Container header={<Header variant="h2">What will change</Header>}>
      <SpaceBetween size="s">
        {differences.map((difference) => {
          const text = describeDifference(difference);
          if (!needsConfirmation(difference)) return <Box key={text}>{text}</Box>;
          const name = confirmations[difference.effect];
          return (
            <Checkbox
              key={text}
              checked={setting[name]}
              onChange={({ detail }) => onChange({ [name]: detail.checked })}
            >
              <Box fontWeight="bold" color="text-status-warning">
                {text}
              </Box>
            </Checkbox>
          );
        })}
        {differences.length === 0 && <Box>Nothing: all accepted users already match the file.</Box>}
        {unchanged > 0 && (
          <Box color="text-body-secondary">{`${countOf(unchanged, 'user')} already ${unchanged === 1 ? 'matches' : 'match'} the file.`}</Box>
        )}
        {file.ignored.length > 0 && (
          <Alert type="info">{`Columns that an import does not know are ignored: ${file.ignored.join(', ')}.`}</Alert>
        )}
      </SpaceBetween>
    </Container>
  );
}

export interface RejectedTableProps {
  readonly name: string;
  readonly file: ImportFile;
  readonly rows: readonly RejectedRow[];
  /** Default: `Rejected rows`. */
  readonly title?: string;
}

/** The rejected rows with their problems, and a button that saves them as a file to correct and import. */
export function RejectedTable({ name, file, rows, title = 'Rejected rows' }: RejectedTableProps) {
  const [onPage, at] = useLoadedPages(rows, 25);
  const save = () => {
    const base = name.replace(/\.(csv|jsonl)$/i, '');
    const type = file.extension === 'csv' ? 'text/csv;charset=utf-8' : 'application/jsonl';
    saveFile(`${base}.rejected.${file.extension}`, new Blob([file.write(rows)], { type }));
  };
  return (
    <Table<RejectedRow>
      items={onPage}
      trackBy={({ line }) => String(line)}
      wrapLines
      header={
        <Header
          variant="h2"
          counter={`(${rows.length.toLocaleString('en')})`}
          description="Download these rows, correct them there, and import that file."
          actions={<Button onClick={save}>Download rejected rows</Button>}
        >
          {title}
        </Header>
      }
      columnDefinitions={[
        { id: 'line', header: 'Line', width: 90, cell: ({ line }) => line.toLocaleString('en') },
        { id: 'user', header: 'User ID', isRowHeader: true, minWidth: 130, cell: (row) => file.userIdOf(row) || '–' },
        { id: 'problem', header: 'Problem', minWidth: 200, cell: ({ problem }) => problem },
      ]}
      ariaLabels={{ tableLabel: title }}
      pagination={pageButtons(at, 'rejected rows')}
    />
  );
}
