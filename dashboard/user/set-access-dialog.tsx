import Box from '@cloudscape-design/components/box';
import { useState } from 'react';
import type { NewSetting } from '#shared/contract/access.ts';
import { hasCode } from '../api/problem-error.ts';
import { type Expiry, ExpiryField, expiryTimestamp, noExpiry } from '../forms/expiry-field.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
import { isReasonMissing, noReason, ReasonFields, reasonBody } from '../forms/reason-fields.tsx';
import { useEnd } from '../forms/use-end.ts';
import { useOperator } from '../session/use-operator.ts';
import { accessTitle, accessVerbs, nameUser } from '../words.ts';
import type { AccessMutation, NamedAccess } from './use-user-access.ts';

/** A change of an access; `extend` changes the end of a block. */
export type AccessIntent = 'block' | 'allow' | 'extend';

export interface SetAccessDialogProps {
  readonly access: NamedAccess;
  readonly intent: AccessIntent;
  readonly change: AccessMutation;
  readonly onClose: () => void;
  readonly onSubmit: (body: SettingBody) => void;
}

/** A setting with the ticket behind it. */
export type SettingBody = NewSetting & { readonly ticket: string | null };

/** Asks for a reason, and for the end of a block. A conflict is shown by the card. */
export default function SetAccessDialog({ access, intent, change, onClose, onSubmit }: SetAccessDialogProps) {
  const isRequired = useOperator().needsReason(access.requireReason);
  const [why, setWhy] = useState({ ...noReason, reason: intent === 'extend' ? (access.reason ?? '') : '' });
  const [expiry, setExpiry] = useState<Expiry>(intent === 'extend' ? { ...noExpiry, choice: 'day' } : noExpiry);
  const end = useEnd(expiry, change);
  const { title, verb, effect } = wordsOf(intent, access);
  const send = () => {
    const setting = reasonBody(why);
    if (intent === 'allow') return onSubmit({ ...setting, status: 'enabled' });
    const until = end();
    if (until !== undefined) onSubmit({ ...setting, status: 'disabled', until });
  };
  return (
    <FormDialog
      title={title}
      verb={verb}
      isPending={change.isPending}
      error={hasCode(change.error, 'version_mismatch') ? null : change.error}
      isIncomplete={
        isReasonMissing(why, isRequired) || (intent !== 'allow' && expiryTimestamp(expiry, 0) === undefined)
      }
      onSubmit={send}
      onClose={onClose}
    >
      <Box>{effect}</Box>
      <ReasonFields value={why} onChange={setWhy} isRequired={isRequired} />
      {intent !== 'allow' && (
        <ExpiryField label="Block until" never="I unblock it" expiry={expiry} onChange={setExpiry} />
      )}
    </FormDialog>
  );
}

function wordsOf(intent: AccessIntent, access: NamedAccess) {
  const [user, { appName, userStatus }] = [nameUser(access), access];
  switch (intent) {
    case 'block': {
      const effect = `${user} loses access to ${appName}. Roles are kept, and other applications are not affected.`;
      return { title: accessTitle('disabled', appName), verb: accessVerbs.disabled, effect };
    }
    case 'allow': {
      const since = userStatus === 'inactive' ? ' once the user is activated' : '';
      const effect = `${user} gets access to ${appName}${since}.`;
      return { title: accessTitle('enabled', appName), verb: accessVerbs.enabled, effect };
    }
    case 'extend':
      return { title: 'Change when the block ends', verb: 'Save', effect: `${user} is blocked from ${appName}.` };
    default:
      return intent satisfies never;
  }
}
