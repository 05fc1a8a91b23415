import { useState } from 'react';
import { type Expiry, expiryTimestamp, noExpiry } from '#dashboard/forms/chosen-expiry.ts';
import { noReason, type Reason, reasonBody } from '#dashboard/forms/reason-fields.tsx';
import { type BulkActionId, type BulkSetting, bulkActions, partsOf } from './bulk-actions.ts';

/** The form of a bulk change as filled in so far. */
export interface Draft {
  readonly action: BulkActionId;
  readonly appId: string;
  readonly role: string;
  readonly why: Reason;
  readonly expiry: Expiry;
}

/** The form of a bulk change, prefilled from the URL. */
export function useDraft(parameters: URLSearchParams): [draft: Draft, change: (part: Partial<Draft>) => void] {
  const [draft, setDraft] = useState<Draft>(() => ({
    action: bulkActions.find(({ id }) => id === parameters.get('action'))?.id ?? 'enable',
    appId: parameters.get('app') ?? '',
    role: parameters.get('role') ?? '',
    why: noReason,
    expiry: noExpiry,
  }));
  // Another application has other roles.
  const change = (part: Partial<Draft>) =>
    setDraft((before) => ({ ...before, ...(part.appId !== undefined && { role: '' }), ...part }));
  return [draft, change];
}

/** The bulk change, once every field that the action needs is filled in. */
export function settingOf({ action, appId, role, why, expiry }: Draft, now: number): BulkSetting | undefined {
  const parts = partsOf[action];
  const end = parts.includes('end') ? expiryTimestamp(expiry, now) : null;
  if (end === undefined || (parts.includes('app') && appId === '') || (parts.includes('role') && role === ''))
    return undefined;
  return {
    action,
    appId: parts.includes('app') ? appId : '',
    role: parts.includes('role') ? role : '',
    ...reasonBody(why),
    end,
  };
}
