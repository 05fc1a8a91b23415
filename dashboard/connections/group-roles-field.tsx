import AttributeEditor, { type AttributeEditorProps } from '@cloudscape-design/components/attribute-editor';
import Input from '@cloudscape-design/components/input';
import { maxGroupRoles } from '#shared/contract/group-roles.ts';
import { Choice, optionOfApplication, RoleChoice } from '../forms/choice-fields.tsx';
import { Field, useFieldErrors } from '../forms/field.tsx';
import { useAllApplications } from '../forms/use-all-applications.ts';

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
  const members = ['group', 'appId', 'role'] as const;
  const pointerOf = (at: number, member: (typeof members)[number]) => `#/groupRoles/${at}/${member}`;
  const errorOf = useFieldErrors(rows.flatMap((_, at) => members.map((member) => pointerOf(at, member))));
  const change = (at: number, part: Partial<GroupRow>) =>
    onChange(rows.map((row, each) => (each === at ? { ...row, ...part } : row)));
  const definition: AttributeEditorProps.FieldDefinition<GroupRow>[] = [
    {
      label: 'Group',
      control: ({ group }, at) => (
        <Input
          value={group}
          placeholder="Its name in the directory"
          onChange={({ detail }) => change(at, { group: detail.value })}
        />
      ),
      errorText: (_, at) => errorOf(pointerOf(at, 'group')),
    },
    {
      label: 'Application',
      control: ({ appId }, at) => (
        <Choice
          noun="applications"
          placeholder="Choose an application"
          options={options}
          value={appId}
          list={all}
          onChange={(chosen) => change(at, { appId: chosen, role: '' })}
        />
      ),
      errorText: (_, at) => errorOf(pointerOf(at, 'appId')),
    },
    {
      label: 'Role',
      control: ({ appId, role }, at) => (
        <RoleChoice appId={appId} role={role} onChange={(chosen) => change(at, { role: chosen })} />
      ),
      errorText: (_, at) => errorOf(pointerOf(at, 'role')),
    },
  ];
  return (
    <Field
      label="Roles of groups"
      description="Members of a group get its roles. Roles that people assign stay."
      stretch
      pointer="#/groupRoles"
    >
      <AttributeEditor<GroupRow>
        items={rows}
        definition={definition}
        empty={applications.length === 0 ? 'Choose applications first.' : 'No group assigns a role.'}
        addButtonText="Add role of a group"
        disableAddButton={applications.length === 0 || rows.length >= maxGroupRoles}
        removeButtonText="Remove"
        removeButtonAriaLabel={({ group, role }) => `Remove ${role || 'the role'} of ${group || 'the group'}`}
        onAddButtonClick={() => onChange([...rows, newRow(applications)])}
        onRemoveButtonClick={({ detail }) => onChange(rows.toSpliced(detail.itemIndex, 1))}
      />
    </Field>
  );
}

/** The only application is chosen already. */
function newRow(applications: readonly string[]): GroupRow {
  return { group: '', appId: applications.length === 1 ? (applications[0] ?? '') : '', role: '' };
}
