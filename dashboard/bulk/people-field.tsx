import FileInput from '@cloudscape-design/components/file-input';
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { useState } from 'react';
import { CsvError, decodeCsv } from '#shared/csv/read-csv.ts';
import type { People } from './use-people.ts';

export interface PeopleFieldProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly people: People;
  readonly disabled?: boolean;
}

/** Takes ids or e-mail addresses, typed, pasted or from a file. */
export function PeopleField({ text, onChange, people, disabled = false }: PeopleFieldProps) {
  const [wrongFile, setWrongFile] = useState<string>();
  const read = async ([file]: readonly File[]) => {
    if (file === undefined) return;
    try {
      onChange(decodeCsv(new Uint8Array(await file.arrayBuffer())));
      setWrongFile(undefined);
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      setWrongFile(`${file.name}: ${error.message}`);
    }
  };
  return (
    <FormField
      label="Users"
      description="Ids or e-mail addresses, one a line, or a table with a column userId or email."
      constraintText={describe(people)}
      errorText={wrongFile ?? people.mistake}
    >
      <SpaceBetween size="xs">
        <Textarea
          value={text}
          rows={6}
          disabled={disabled}
          spellcheck={false}
          placeholder={'ada\ngrace@example.com'}
          autoFocus
          onChange={({ detail }) => {
            setWrongFile(undefined);
            onChange(detail.value);
          }}
        />
        <FileInput
          value={[]}
          accept=".csv,.txt,.tsv,text/csv,text/plain"
          onChange={({ detail }) => void read(detail.value)}
        >
          Choose a file
        </FileInput>
      </SpaceBetween>
    </FormField>
  );
}

function describe({ count, users, unclear, isFinding }: People): string {
  if (count === 0) return 'Nobody yet';
  if (isFinding) return `Finding ${count.toLocaleString('en')}…`;
  const missed = unclear.length === 0 ? '' : `, ${unclear.length.toLocaleString('en')} not found or not clear`;
  return `${users.length.toLocaleString('en')} ${users.length === 1 ? 'user' : 'users'} found${missed}`;
}
