import type { Setup } from '#dashboard/forms/setup-field.tsx';
import type { ConnectionKind } from '#shared/contract/operation.ts';
import type { UserIdAttribute } from '../contract/connection-fields.ts';
import type { GatewayPurpose, Identity } from './gateway-fields.tsx';

/** Something that can be connected, with what is entered for it at first. */
export interface ConnectionSetup extends Setup {
  readonly kind: ConnectionKind;
  /** The name and the ID of the connection. */
  readonly name: string;
  readonly connectionId: string;
  readonly purpose?: GatewayPurpose;
  readonly identity?: Partial<Identity>;
  readonly userIdAttribute?: UserIdAttribute;
}

const directory = 'Creates and deactivates users, and its groups assign roles (SCIM 2.0).';

/** What can be connected, the most usual first. */
export const connectionSetups: readonly ConnectionSetup[] = [
  {
    id: 'okta',
    label: 'Okta',
    description: directory,
    kind: 'scim',
    name: 'Okta',
    connectionId: 'okta',
    userIdAttribute: 'userName',
  },
  {
    id: 'entra',
    label: 'Microsoft Entra ID',
    description: directory,
    kind: 'scim',
    name: 'Entra ID',
    connectionId: 'entra',
    userIdAttribute: 'userName',
  },
  {
    id: 'directory',
    label: 'Another directory',
    description: directory,
    kind: 'scim',
    name: 'Directory',
    connectionId: 'directory',
  },
  {
    id: 'proxy',
    label: 'nginx, Caddy or another proxy',
    description: 'Asks for each request whether its user is allowed.',
    kind: 'evaluate',
    name: 'Proxy',
    connectionId: 'proxy',
    purpose: 'proxy',
    identity: { by: 'token' },
  },
  {
    id: 'question',
    label: 'A gateway or software that speaks AuthZEN',
    description: 'Asks who is allowed in applications, and which roles users hold.',
    kind: 'evaluate',
    name: 'Gateway',
    connectionId: 'gateway',
    purpose: 'question',
  },
  {
    id: 'login',
    label: 'The login of Okta or Hydra',
    description: 'Blocks users at the login, and adds their roles to tokens.',
    kind: 'evaluate',
    name: 'Login',
    connectionId: 'login',
    purpose: 'login',
  },
];
