import Box from '@cloudscape-design/components/box';
import { useState } from 'react';
import type { NewSetting } from '#shared/contract/access.ts';
import { typedTimeOf } from '#shared/contract/typed-time.ts';
import { hasCode } from '../api/problem-error.ts';
import { type Expiry, missingEnd, noExpiry } from '../forms/chosen-expiry.ts';
import { ExpiryField } from '../forms/expiry-field.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
import { missingReason, noReason, type Reason, ReasonFields, reasonBody } from '../forms/reason-fields.tsx';
import { useEnd } from '../forms/use-end.ts';
import { useOperator } from '../session/use-operator.ts';
import { accessTitle, accessVerbs, nameUser } from '../words.ts';
import type { AccessMutation, NamedAccess } from './use-user-access.ts';

/** A change of an access; `amend` changes the reason and the end of the setting. */
export type AccessIntent = 'block' | 'allow' | 'amend';

export interface SetAccessDialogProps {
  readonly access: NamedAccess;
  readonly intent: AccessIntent;
  /** Whether the end of an amended block is to be a date at first. Default: the current end. */
  readonly asksDate?: boolean;
  readonly change: AccessMutation;
  readonly onClose: () => void;
  readonly onSubmit: (body: SettingBody) => void;
}

/** A setting with the ticket behind it. */
export type SettingBody = NewSetting & { readonly ticket: string | null };

/** Asks for a reason, and for the end of a block. A conflict is shown by the row. */
export default function SetAccessDialog(props: SetAccessDialogProps) {
  const { access, intent, asksDate = false, change, onClose, onSubmit } = props;
  const isRequired = useOperator().needsReason(access.requireReason);
  const [why, setWhy] = useState(() => (intent === 'amend' ? reasonOf(access) : noReason));
  const [expiry, setExpiry] = useState(() => (intent === 'amend' ? expiryOf(access, asksDate) : noExpiry));
  const end = useEnd(expiry, change);
  const { title, verb, effect } = wordsOf(intent, access);
  const isBlock = intent === 'block' || (intent === 'amend' && access.status === 'disabled');
  const send = () => {
    const setting = reasonBody(why);
    if (!isBlock) return onSubmit({ ...setting, status: 'enabled' });
    const until = end();
    if (until !== undefined) onSubmit({ ...setting, status: 'disabled', until });
  };
  return (
    <FormDialog
      title={title}
      verb={verb}
      isPending={change.isPending}
      error={hasCode(change.error, 'version_mismatch') ? null : change.error}
      missing={missingReason(why, isRequired) ?? (isBlock ? missingEnd(expiry) : undefined)}
      onSubmit={send}
      onClose={onClose}
    >
      <Box>{effect}</Box>
      <ReasonFields value={why} onChange={setWhy} isRequired={isRequired} />
      {isBlock && <ExpiryField label="Block until" never="I unblock it" expiry={expiry} onChange={setExpiry} />}
    </FormDialog>
  );
}

function reasonOf({ reason, statusSetBy }: NamedAccess): Reason {
  return { reason: reason ?? '', ticket: statusSetBy?.ticket ?? '' };
}

/** The current end, to the minute. */
function expiryOf({ until }: NamedAccess, asksDate: boolean): Expiry {
  if (until !== null) return { choice: 'at', ...typedTimeOf(until) };
  return asksDate ? { ...noExpiry, choice: 'at' } : noExpiry;
}

function wordsOf(intent: AccessIntent, access: NamedAccess) {
  const [user, { appName, userStatus, status }] = [nameUser(access), access];
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
    case 'amend':
      return status === 'disabled'
        ? { title: `Block in ${appName}: reason and end`, verb: 'Save', effect: `${user} is blocked from ${appName}.` }
        : { title: `Access to ${appName}: reason`, verb: 'Save', effect: `${user} is allowed to use ${appName}.` };
    default:
      return intent satisfies never;
  }
}
