import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { Choice, optionOfApplication, RoleChoice } from '#dashboard/forms/choice-fields.tsx';
import { Field } from '#dashboard/forms/field.tsx';
import { useAllApplications } from '#dashboard/forms/use-all-applications.ts';
import { maxGroupRoles } from '../contract/group-roles.ts';

/** A role of a group, as entered so far: each part is empty until it is chosen. */
export interface GroupRow {
  readonly group: string;
  readonly appId: string;
  readonly role: string;
}

export interface GroupRolesFieldProps {
  readonly rows: readonly GroupRow[];
  /** The applications of the connection; a row can name no other. */
  readonly applications: readonly string[];
  readonly onChange: (rows: readonly GroupRow[]) => void;
}

/** Which groups of a directory assign which roles: a row for each. Errors are shown at their rows. */
export function GroupRolesField({ rows, applications, onChange }: GroupRolesFieldProps) {
  const all = useAllApplications();
  const options = applications.map((appId) => {
    const known = all.data?.find((one) => one.appId === appId);
    return known === undefined ? { value: appId, label: appId } : optionOfApplication(known);
  });
  const change = (at: number, part: Partial<GroupRow>) =>
    onChange(rows.map((row, each) => (each === at ? { ...row, ...part } : row)));
  return (
    <Field
      label="Roles of groups"
      description="Members of a group get its roles. Roles that people assign stay."
      stretch
      pointer="#/groupRoles"
    >
      <SpaceBetween size="s">
        {rows.map(({ group, appId, role }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other identity, and keeps no state of its own
          <div key={at} className="mapping">
            <Field label="Group" pointer={`#/groupRoles/${at}/group`}>
              <Input
                value={group}
                placeholder="Its name in the directory"
                onChange={({ detail }) => change(at, { group: detail.value })}
              />
            </Field>
            <Field label="Application" pointer={`#/groupRoles/${at}/appId`}>
              <Choice
                noun="applications"
                placeholder="Choose an application"
                options={options}
                value={appId}
                list={all}
                onChange={(chosen) => change(at, { appId: chosen, role: '' })}
              />
            </Field>
            <Field label="Role" pointer={`#/groupRoles/${at}/role`}>
              <RoleChoice appId={appId} role={role} onChange={(chosen) => change(at, { role: chosen })} />
            </Field>
            <Button
              formAction="none"
              ariaLabel={`Remove ${role || 'the role'} of ${group || 'the group'}`}
              onClick={() => onChange(rows.toSpliced(at, 1))}
            >
              Remove
            </Button>
          </div>
        ))}
        {rows.length === 0 && (
          <Box color="text-body-secondary">
            {applications.length === 0 ? 'Choose applications first.' : 'No group assigns a role.'}
          </Box>
        )}
        <Button
          formAction="none"
          disabled={applications.length === 0 || rows.length >= maxGroupRoles}
          disabledReason={
            applications.length === 0
              ? 'Choose applications first.'
              : `A connection has at most ${maxGroupRoles} roles.`
          }
          onClick={() => onChange([...rows, newRow(applications)])}
        >
          Add role of a group
        </Button>
      </SpaceBetween>
    </Field>
  );
}

/** The only application is chosen already. */
function newRow(applications: readonly string[]): GroupRow {
  return { group: '', appId: applications.length === 1 ? (applications[0] ?? '') : '', role: '' };
}
