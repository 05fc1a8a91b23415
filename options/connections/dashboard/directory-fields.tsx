import Alert from '@cloudscape-design/components/alert';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { Field } from '#dashboard/forms/field.tsx';
import type { ConnectionView } from '../contract/connection.ts';
import type { UserIdAttribute } from '../contract/connection-fields.ts';
import { GroupRolesField, type GroupRow } from './group-roles-field.tsx';

/** What is entered about a directory. */
export interface Directory {
  /** Undefined until it is chosen. */
  readonly userIdAttribute: UserIdAttribute | undefined;
  readonly takeover: NonNullable<ConnectionView['takeover']>;
  readonly rows: readonly GroupRow[];
}

export interface DirectoryFieldsProps {
  readonly directory: Directory;
  /** The applications of the connection. */
  readonly applications: readonly string[];
  /** Which attribute becomes the user ID can be chosen only then. */
  readonly isNew: boolean;
  readonly onChange: (directory: Directory) => void;
}

/** The settings of a connection of the kind `scim`, beside its applications. */
export function DirectoryFields({ directory, applications, isNew, onChange }: DirectoryFieldsProps) {
  return (
    <SpaceBetween size="m">
      {isNew && (
        <Field
          label="User ID"
          description="Which attribute of the directory is the ID by which your applications know a user."
          pointer="#/userIdAttribute"
        >
          <RadioGroup
            value={directory.userIdAttribute ?? null}
            items={userIdItems}
            onChange={({ detail }) => onChange({ ...directory, userIdAttribute: detail.value as UserIdAttribute })}
          />
        </Field>
      )}
      {isNew && (
        <Alert type="warning" header="The attribute can't be changed later">
          A user whose attribute changes keeps the ID. Choose one that your directory never gives to someone else.
        </Alert>
      )}
      <Field
        label="Existing users"
        description="If a user with the same ID exists and is not managed by a directory."
        pointer="#/takeover"
      >
        <RadioGroup
          value={directory.takeover}
          items={takeoverItems}
          onChange={({ detail }) => onChange({ ...directory, takeover: detail.value as Directory['takeover'] })}
        />
      </Field>
      <GroupRolesField
        rows={directory.rows}
        applications={applications}
        onChange={(rows) => onChange({ ...directory, rows })}
      />
    </SpaceBetween>
  );
}

const userIdItems: readonly { value: UserIdAttribute; label: string; description: string }[] = [
  { value: 'userName', label: 'userName', description: 'The login name, such as ada@example.com.' },
  {
    value: 'externalId',
    label: 'externalId',
    description: "The directory's own ID of the user, which survives a new name.",
  },
  { value: 'email', label: 'email', description: 'The primary e-mail address.' },
];

const takeoverItems: readonly { value: Directory['takeover']; label: string; description: string }[] = [
  { value: 'none', label: 'Refuse', description: 'The directory gets an error, and the user stays as it is.' },
  { value: 'matching', label: 'Take over', description: 'The directory manages the user from then on.' },
];

export function directoryOf({ userIdAttribute, takeover, groupRoles = [] }: Partial<ConnectionView> = {}): Directory {
  return { userIdAttribute: userIdAttribute ?? undefined, takeover: takeover ?? 'none', rows: groupRoles };
}

/** What of the settings is not chosen; undefined if nothing. */
export function missingOfDirectory({ userIdAttribute, rows }: Directory): string | undefined {
  const isEmpty = ({ group, appId, role }: GroupRow) => group.trim() === '' || appId === '' || role === '';
  if (userIdAttribute === undefined) return 'Choose the attribute that becomes the user ID.';
  return rows.some(isEmpty) ? 'Complete or remove the roles of groups.' : undefined;
}

/** The members of a request that say it, both of a new directory and of an update. */
export function directoryBody({ takeover, rows }: Directory) {
  return { takeover, groupRoles: rows.map(({ group, ...target }) => ({ group: group.trim(), ...target })) };
}
