import Box from '@cloudscape-design/components/box';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import { Suspense, useState } from 'react';
import type { ReadUserView } from '#shared/contract/user.ts';
import { FormDialog } from '../forms/form-dialog.tsx';
import { missingReason, noReason, type Reason, ReasonFields } from '../forms/reason-fields.tsx';
import type { NextStep } from '../options/option-pages.ts';
import { registeredPages } from '../options/registered-pages.ts';
import { useOperator } from '../session/use-operator.ts';
import { lazyPart } from '../shell/lazy-part.tsx';
import { nameUser } from '../words.ts';
import { describeRoles } from './describe-roles.ts';
import { isAllowedBySetting } from './is-allowed-by-setting.ts';
import { useUserAccess } from './use-user-access.ts';

export interface ActivateDialogProps {
  readonly user: ReadUserView;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onClose: () => void;
  /** With what an option is to do next, if anything. */
  readonly onSubmit: (why: Reason, next: NextStep | undefined) => void;
}

const load = registeredPages.find(({ activationPart }) => activationPart !== undefined)?.activationPart;
const Part = load && lazyPart(load);

/** Says what comes back with the activation of a user and what does not, and offers what an option can do next. */
export default function ActivateDialog({ user, isPending, error, onClose, onSubmit }: ActivateDialogProps) {
  const { data: accesses = [] } = useUserAccess(user.userId);
  const [why, setWhy] = useState(noReason);
  const [next, choose] = useState<NextStep>();
  const { needsReason } = useOperator();
  const demandOf = (appId: string) => accesses.find((access) => access.appId === appId)?.requireReason;
  const isRequired = needsReason() || (next?.appIds ?? []).some((appId) => needsReason(demandOf(appId)));
  const [allowed, blocked] = [true, false].map((isAllowed) =>
    accesses.filter((access) => isAllowedBySetting(access, Date.now()) === isAllowed),
  );
  const kept = accesses.flatMap(({ appName, roles }) => roles.map(({ name: role }) => ({ appName, role })));
  return (
    <FormDialog
      title={`Activate ${user.displayName ?? user.userId}`}
      verb="Activate"
      isPending={isPending}
      error={error}
      missing={missingReason(why, isRequired)}
      onSubmit={() => onSubmit(why, next)}
      onClose={onClose}
    >
      <Box>{nameUser(user)} gets back the access that each application's setting or rollout allows.</Box>
      <KeyValuePairs
        items={[
          { label: 'Access that comes back', value: countNames(allowed) },
          { label: 'Stays blocked', value: countNames(blocked) },
          { label: 'Roles that come back', value: describeRoles(kept) || 'None' },
        ]}
      />
      {Part && (
        <Suspense>
          <Part user={user} accesses={accesses} onChoose={choose} />
        </Suspense>
      )}
      <ReasonFields value={why} onChange={setWhy} isRequired={isRequired} />
    </FormDialog>
  );
}

const maxNames = 5;

function countNames(accesses: readonly { readonly appName: string }[] = []): string {
  const names = accesses.slice(0, maxNames).map(({ appName }) => appName);
  const more = accesses.length - names.length;
  return names.length === 0 ? 'None' : `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
