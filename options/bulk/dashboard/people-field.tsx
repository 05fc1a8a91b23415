import FileInput from '@cloudscape-design/components/file-input';
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { useState } from 'react';
import { countOf } from '#shared/contract/wording.ts';
import { CsvError, decodeCsv } from '#shared/csv/read-csv.ts';
import type { People } from './use-people.ts';

export interface PeopleFieldProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly people: People;
  readonly disabled?: boolean;
}

/** User IDs or e-mail addresses, typed, pasted or from a file. */
export function PeopleField({ text, onChange, people, disabled = false }: PeopleFieldProps) {
  const [fileError, setFileError] = useState<string>();
  const read = async ([file]: readonly File[]) => {
    if (file === undefined) return;
    try {
      onChange(decodeCsv(new Uint8Array(await file.arrayBuffer())));
      setFileError(undefined);
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      setFileError(`${file.name}: ${error.message}`);
    }
  };
  return (
    <FormField
      label="Users"
      description="User IDs or e-mail addresses: one per line, or several with commas, semicolons or tabs, as Outlook and Gmail copy them; or a CSV table with a userId or email column."
      constraintText={describe(people)}
      errorText={fileError ?? people.mistake}
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
            setFileError(undefined);
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

const maxListed = 5;

function describe({ count, users, unrecognized, isFinding }: People): string {
  if (count === 0) return 'No users added';
  if (isFinding) return `Looking up ${countOf(count, 'user')}…`;
  const found = `${countOf(users.length, 'user')} found`;
  if (unrecognized.length === 0) return found;
  const listed = unrecognized.slice(0, maxListed).map(({ name }) => name);
  const more =
    unrecognized.length > maxListed ? [`${(unrecognized.length - maxListed).toLocaleString('en')} more`] : [];
  return `${found}, ${unrecognized.length.toLocaleString('en')} not recognized: ${[...listed, ...more].join(', ')}`;
}
