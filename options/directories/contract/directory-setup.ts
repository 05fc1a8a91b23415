import type { UserIdAttribute } from '#options/connections/contract/connection-fields.ts';
import { scimPath } from './scim-endpoints.ts';

/** A field that an administrator of a directory fills in. */
export interface SetupField {
  /** Its label in the directory. */
  readonly field: string;
  readonly value: string;
  /** `text` is entered exactly; `choice` is selected; `token` stands for a token of the connection. */
  readonly enter: 'text' | 'choice' | 'token';
  readonly note?: string | undefined;
}

/** Fields that are on one page of the directory. */
export interface SetupStep {
  readonly place: string;
  readonly fields: readonly SetupField[];
}

export interface SetupGuide {
  readonly id: 'okta' | 'entra';
  readonly product: string;
  readonly steps: readonly SetupStep[];
}

export interface SetupOptions {
  /** The URL of the API, without a path. */
  readonly apiUrl: string;
  /** The attribute that becomes the user ID; its field says so. Default: no field says it. */
  readonly userIdAttribute?: UserIdAttribute | undefined;
}

/** What to enter in each directory, field by field, with the labels of its own pages. */
export function setupGuides({ apiUrl, userIdAttribute }: SetupOptions): readonly SetupGuide[] {
  const baseUrl = `${apiUrl.replace(/\/$/, '')}${scimPath}`;
  const noteFor = (attribute: UserIdAttribute, note?: string) =>
    [attribute === userIdAttribute && 'Becomes the user ID.', note].filter(Boolean).join(' ') || undefined;
  return [
    { id: 'okta', product: 'Okta', steps: oktaSteps(baseUrl, noteFor) },
    { id: 'entra', product: 'Microsoft Entra ID', steps: entraSteps(baseUrl, noteFor) },
  ];
}

type NoteFor = (attribute: UserIdAttribute, note?: string) => string | undefined;

/** For an app of the App Integration Wizard whose provisioning is set to SCIM. */
function oktaSteps(baseUrl: string, noteFor: NoteFor): readonly SetupStep[] {
  return [
    {
      place: 'Provisioning → Integration',
      fields: [
        { field: 'SCIM connector base URL', value: baseUrl, enter: 'text' },
        { field: 'Unique identifier field for users', value: 'userName', enter: 'text' },
        {
          field: 'Supported provisioning actions',
          value: 'Import New Users and Profile Updates, Push New Users, Push Profile Updates, Push Groups',
          enter: 'choice',
        },
        { field: 'Authentication Mode', value: 'HTTP Header', enter: 'choice' },
        {
          field: 'Authorization',
          value: 'Bearer token',
          enter: 'token',
          note: 'It begins with svt_; enter it without the word Bearer.',
        },
      ],
    },
    {
      place: 'Provisioning → To App',
      fields: [
        { field: 'Create Users', value: 'Enable', enter: 'choice' },
        { field: 'Update User Attributes', value: 'Enable', enter: 'choice' },
        {
          field: 'Deactivate Users',
          value: 'Enable',
          enter: 'choice',
          note: 'Otherwise leavers stay active.',
        },
        { field: 'Sync Password', value: 'Off', enter: 'choice', note: 'Passwords are discarded.' },
      ],
    },
    {
      place: 'Provisioning → To App → Attribute Mappings',
      fields: [
        {
          field: 'userName',
          value: 'Configured in Sign On settings',
          enter: 'choice',
          note: noteFor('userName', 'Sign On → Application username format.'),
        },
        { field: 'email', value: 'user.email', enter: 'text', note: noteFor('email') },
        {
          field: 'externalId',
          value: 'Sent without a mapping',
          enter: 'choice',
          note: noteFor('externalId', "It is Okta's own ID of the user, such as 00u…"),
        },
      ],
    },
    {
      place: 'Push Groups',
      fields: [
        {
          field: 'Find groups by name',
          value: 'Each group that assigns a role',
          enter: 'choice',
          note: 'Its name in Okta must be the one in the mapping.',
        },
      ],
    },
  ];
}

/** For a non-gallery enterprise application. */
function entraSteps(baseUrl: string, noteFor: NoteFor): readonly SetupStep[] {
  return [
    {
      place: 'Provisioning → Admin Credentials',
      fields: [
        {
          field: 'Tenant URL',
          value: `${baseUrl}?aadOptscim062020`,
          enter: 'text',
          note: 'The parameter makes Entra ID follow RFC 7644.',
        },
        {
          field: 'Secret Token',
          value: 'Bearer token',
          enter: 'token',
          note: 'It begins with svt_. If the field is empty, Entra ID sends a token of its own, which is refused.',
        },
      ],
    },
    {
      place: 'Provisioning → Mappings → Provision Microsoft Entra ID Users',
      fields: [
        { field: 'Target Object Actions', value: 'Create, Update, Delete', enter: 'choice' },
        {
          field: 'userName',
          value: 'userPrincipalName',
          enter: 'text',
          note: noteFor('userName', 'Matching precedence 1.'),
        },
        {
          field: 'externalId',
          value: 'objectId',
          enter: 'text',
          note: noteFor('externalId', 'Replace the default, mailNickname, which can change.'),
        },
        { field: 'emails[type eq "work"].value', value: 'mail', enter: 'text', note: noteFor('email') },
        { field: 'displayName', value: 'displayName', enter: 'text' },
        {
          field: 'active',
          value: 'Switch([IsSoftDeleted], , "False", "True", "True", "False")',
          enter: 'text',
          note: 'The default. Without it, leavers stay active.',
        },
        { field: 'roles, entitlements', value: 'Remove these mappings', enter: 'choice', note: 'Groups assign roles.' },
      ],
    },
    {
      place: 'Provisioning → Mappings → Provision Microsoft Entra ID Groups',
      fields: [
        { field: 'displayName', value: 'displayName', enter: 'text', note: 'Matching precedence 1.' },
        { field: 'externalId', value: 'objectId', enter: 'text' },
        { field: 'members', value: 'members', enter: 'text', note: 'Members of nested groups are not sent.' },
      ],
    },
    {
      place: 'Provisioning → Settings',
      fields: [{ field: 'Scope', value: 'Sync only assigned users and groups', enter: 'choice' }],
    },
  ];
}
