import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import { useCallback, useState } from 'react';
import type { UserAccessView } from '#shared/contract/management.ts';
import { useApi } from '../api/use-api.ts';
import { usePages } from '../api/use-pages.ts';
import { momentOf, noEnd } from '../forms/end.ts';
import { EndField } from '../forms/end-field.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
import { applicationPath } from '../shell/paths.ts';
import { RouteLink } from '../shell/route-link.tsx';
import type { AccessChange } from './use-access-change.ts';

export interface AssignRoleDialogProps {
  readonly access: UserAccessView;
  readonly change: AccessChange;
  readonly onClose: () => void;
}

/** Gives one of the application's roles, for good or until a moment. */
export default function AssignRoleDialog({ access, change, onClose }: AssignRoleDialogProps) {
  const { userId, appId, appName } = access;
  const api = useApi();
  const [role, setRole] = useState<string>();
  const [end, setEnd] = useState(noEnd);
  const { items, loading, problem, hasMore, page, turnTo } = usePages(
    useCallback(
      (cursor, signal) => api('list-roles', { path: { appId }, query: { limit: '100', cursor }, signal }),
      [api, appId],
    ),
  );
  const options = items.map(({ role: name, description }) => ({
    value: name,
    label: name,
    ...(description !== null && { description }),
  }));
  const send = async () => {
    const expiresAt = momentOf(end, Date.now());
    if (role === undefined || expiresAt === undefined) return;
    onClose();
    await change.run({
      intent: `Assign ${role}`,
      send: (ifMatch) => api('assign-user-role', { path: { userId, appId, role }, body: { expiresAt }, ifMatch }),
    });
  };
  return (
    <FormDialog
      title={`Assign a role in ${appName}`}
      verb="Assign"
      pending={false}
      problem={problem}
      blocked={role === undefined || momentOf(end, 0) === undefined}
      onSubmit={send}
      onClose={onClose}
    >
      <FormField
        label="Role"
        secondaryControl={hasMore ? <NextRoles turn={() => turnTo(page + 1)} /> : undefined}
        description={
          !loading && items.length === 0 ? (
            <>
              {appName} has no roles. <RouteLink to={`${applicationPath(appId)}?tab=roles`}>Define one</RouteLink>
            </>
          ) : undefined
        }
      >
        <Select
          selectedOption={options.find(({ value }) => value === role) ?? null}
          options={options}
          placeholder="Choose a role"
          statusType={loading ? 'loading' : 'finished'}
          loadingText="Loading roles …"
          empty="No roles"
          filteringType={options.length > 10 ? 'auto' : 'none'}
          onChange={({ detail }) => setRole(detail.selectedOption.value)}
        />
      </FormField>
      <EndField label="Take it back by itself" end={end} onChange={setEnd} />
    </FormDialog>
  );
}

function NextRoles({ turn }: { readonly turn: () => void }) {
  return (
    <button type="button" onClick={turn}>
      More roles
    </button>
  );
}
