import Box from '@cloudscape-design/components/box';
import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import { useState } from 'react';
import type { IssuedKeyView, KeyView } from '#shared/contract/management.ts';
import { useApi } from '../api/use-api.ts';
import { useSubmit } from '../api/use-submit.ts';
import { FormDialog } from '../forms/form-dialog.tsx';

const overlaps = [
  { value: 'PT1H', label: '1 hour' },
  { value: 'PT24H', label: '1 day' },
  { value: 'P7D', label: '7 days' },
  { value: 'P30D', label: '30 days' },
  { value: 'PT0S', label: 'None: the old key ends at once' },
] as const;

export interface RotateKeyDialogProps {
  readonly appId: string;
  readonly apiKey: KeyView;
  readonly onClose: () => void;
  readonly onRotated: (key: IssuedKeyView) => void;
}

/** Puts a new key beside an old one, which goes on for a while. */
export function RotateKeyDialog({ appId, apiKey: { keyId }, onClose, onRotated }: RotateKeyDialogProps) {
  const api = useApi();
  const [overlap, setOverlap] = useState<string>('PT24H');
  const { submit, pending, problem } = useSubmit(async () =>
    onRotated(await api('rotate-key', { path: { appId, keyId }, body: { overlap } })),
  );
  return (
    <FormDialog
      title="Rotate the key"
      verb="Rotate key"
      pending={pending}
      problem={problem}
      onSubmit={() => submit()}
      onClose={onClose}
    >
      <Box>
        You get a new key with the same scopes. <span className="break">{keyId}</span> goes on for the overlap, so that
        the application can change over.
      </Box>
      <FormField label="Overlap">
        <Select
          options={overlaps}
          selectedOption={overlaps.find(({ value }) => value === overlap) ?? null}
          onChange={({ detail }) => setOverlap(detail.selectedOption.value ?? 'PT24H')}
        />
      </FormField>
    </FormDialog>
  );
}
