import { equalFields, type FieldValues, pickFields } from '#shared/contract/field-forms.ts';
import type { AppId } from '#shared/contract/fields.ts';
import { invalidField, type ServiceError } from '#shared/core/errors.ts';
import { readItems } from '#shared/table/client.ts';
import { applicationOf, requireApplication } from '#shared/table/items/application-item.ts';
import { roleOf } from '#shared/table/items/role-item.ts';
import { applicationKey } from '#shared/table/keys/application-item-keys.ts';
import { roleKey } from '#shared/table/keys/role-item-keys.ts';
import { connectionFields } from '../contract/connection-fields.ts';
import type { GroupRole } from '../contract/group-roles.ts';
import type { Connection } from '../table/connection-item.ts';
import { clientApplications } from './client-applications.ts';

/** What an operator sets of a connection. */
export type SettingsOf = Pick<Connection, 'kind' | 'applications' | 'groupRoles' | keyof typeof connectionFields>;

/** The settings with the defaults of their kind; refuses those of another kind, and those that contradict each other. */
export function requireSettings(settings: SettingsOf): SettingsOf {
  requireIdentity(settings);
  requireClients(settings);
  const ofKind = settings.kind === 'scim' ? directorySettings(settings) : settings;
  if (settings.kind !== 'scim' && settings.groupRoles.length > 0) throw ofOtherKind('groupRoles', settings);
  requireOnly(ofKind, namesOfKind[settings.kind]);
  if (settings.kind !== 'scim' && settings.applications.length === 0) {
    throw invalidField('applications', 'must not be empty');
  }
  return ofKind;
}

type FieldName = keyof typeof connectionFields;

/** The fields that a kind has, beside its name. */
const namesOfKind: Readonly<Record<Connection['kind'], readonly FieldName[]>> = {
  evaluate: ['issuer', 'audience', 'trustsUserHeader', 'clients', 'userIdClaim'],
  scim: ['userIdAttribute', 'takeover'],
};

function requireOnly(settings: SettingsOf, allowed: readonly FieldName[]): void {
  const unset: FieldValues<typeof connectionFields> = {
    ...pickFields(connectionFields, {}),
    name: settings.name,
    trustsUserHeader: false,
  };
  for (const name of Object.keys(connectionFields) as FieldName[]) {
    const field = { [name]: connectionFields[name] };
    if (allowed.includes(name) || equalFields(field, { ...unset }, { ...settings })) continue;
    throw ofOtherKind(name, settings);
  }
}

function ofOtherKind(field: string, { kind }: SettingsOf): ServiceError {
  return invalidField(field, `is not a setting of a connection of the kind ${kind}`);
}

/** Refuses two ways of identifying users, of which a caller could choose the weaker, and tokens that are meant for others. */
function requireIdentity({ issuer, audience, trustsUserHeader }: SettingsOf): void {
  if ((issuer === null) !== (audience === null)) throw invalidField('audience', 'must be set exactly if issuer is');
  if (issuer !== null && trustsUserHeader) throw invalidField('trustsUserHeader', 'cannot be combined with issuer');
}

/** Refuses a client that is named twice, and one of an application that the connection may not ask about. */
function requireClients({ clients, applications }: SettingsOf): void {
  const named = clientApplications(clients);
  if (new Set(named.map(({ clientId }) => clientId)).size < named.length) {
    throw invalidField('clients', 'must name each client once');
  }
  const unknown = named.find(({ appId }) => !applications.some((one) => one === appId));
  if (unknown !== undefined) {
    throw invalidField('clients', `must name applications of the connection, not ${unknown.appId}`);
  }
}

function directorySettings(settings: SettingsOf): SettingsOf {
  const { userIdAttribute, takeover, applications, groupRoles } = settings;
  if (userIdAttribute === null) throw invalidField('userIdAttribute', 'is required of a connection of the kind scim');
  if (groupRoles.some(({ appId }) => !applications.includes(appId))) {
    throw invalidField('groupRoles', 'must name only applications of the connection');
  }
  return { ...settings, takeover: takeover ?? 'none' };
}

interface Targets {
  readonly applications: readonly AppId[];
  readonly groupRoles: readonly GroupRole[];
}

/** 404 if an application does not exist, 400 if a role does not. */
export async function requireTargets({ applications, groupRoles }: Targets): Promise<void> {
  const items = await readItems(applications.map(applicationKey));
  for (const item of items) requireApplication(applicationOf(item));
  const wanted = new Map(groupRoles.map(({ appId, role }) => [`${appId} ${role}`, { appId, role }]));
  const roles = await readItems([...wanted.values()].map(({ appId, role }) => roleKey(appId, role)));
  for (const [at, { appId, role }] of [...wanted.values()].entries()) {
    if (roleOf(roles[at]) !== undefined) continue;
    throw invalidField('groupRoles', `must name existing roles; the application ${appId} has no role "${role}"`);
  }
}
