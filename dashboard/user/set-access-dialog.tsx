import Box from '@cloudscape-design/components/box';
import { useState } from 'react';
import type { SetAccessBody } from '#shared/contract/access.ts';
import { hasCode } from '../api/problem-error.ts';
import { type Expiry, ExpiryField, expiryTimestamp, noExpiry } from '../forms/expiry-field.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
import { ReasonField } from '../forms/reason-field.tsx';
import { useEnd } from '../forms/use-end.ts';
import type { AccessMutation, NamedAccess } from './use-user-access.ts';

/** What is done to an access: turned off or on, or its block gets another end. */
export type AccessIntent = 'off' | 'on' | 'extend';

export interface SetAccessDialogProps {
  readonly access: NamedAccess;
  readonly intent: AccessIntent;
  readonly change: AccessMutation;
  readonly onClose: () => void;
  readonly onSubmit: (setting: SetAccessBody) => void;
}

/** Asks for a reason, and of a block for its end. A conflict is shown by the card. */
export default function SetAccessDialog({ access, intent, change, onClose, onSubmit }: SetAccessDialogProps) {
  const { appName, userId } = access;
  const [reason, setReason] = useState(intent === 'extend' ? (access.reason ?? '') : '');
  const [expiry, setExpiry] = useState<Expiry>(intent === 'extend' ? { ...noExpiry, choice: 'day' } : noExpiry);
  const end = useEnd(expiry, change.error);
  const { title, verb, said } = wordsOf(intent, appName, userId);
  const send = () => {
    const setting = { reason: reason.trim() || null };
    if (intent === 'on') return onSubmit({ ...setting, status: 'enabled', until: null });
    const until = end();
    if (until !== undefined) onSubmit({ ...setting, status: 'disabled', until });
  };
  return (
    <FormDialog
      title={title}
      verb={verb}
      isPending={change.isPending}
      error={hasCode(change.error, 'version_mismatch') ? null : change.error}
      blocked={intent !== 'on' && expiryTimestamp(expiry, 0) === undefined}
      onSubmit={send}
      onClose={onClose}
    >
      <Box>{said}</Box>
      <ReasonField value={reason} onChange={setReason} />
      {intent !== 'on' && <ExpiryField label="Turn on again automatically" expiry={expiry} onChange={setExpiry} />}
    </FormDialog>
  );
}

function wordsOf(intent: AccessIntent, appName: string, userId: string) {
  switch (intent) {
    case 'off': {
      const said = `${userId} loses access to ${appName}. Roles are kept, and other applications are not affected.`;
      return { title: `Turn off ${appName}`, verb: 'Turn off', said };
    }
    case 'on':
      return { title: `Turn on ${appName}`, verb: 'Turn on', said: `${userId} gets access to ${appName}.` };
    case 'extend':
      return {
        title: `Change the end of the block`,
        verb: 'Save',
        said: `${userId} has no access to ${appName} until:`,
      };
    default:
      return intent satisfies never;
  }
}
