import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { type Scope, scopes } from '#shared/contract/operation.ts';
import { pause } from '#shared/core/clock.ts';
import {
  answerResource,
  type CreatedResource,
  neverCreated,
  type ResourceRequest,
} from '../releases/custom-resource.ts';
import { isRollingBack } from '../releases/describe-stack.ts';
import { ensureKey, type KeyOwner, type RotationRequest, rotateKey } from './application-key.ts';
import { callManage, ManageError } from './manage-caller.ts';
import { type RegistrationProperties, resourceTypes } from './resource-types.ts';

export type RegistrationRequest = ResourceRequest<RegistrationProperties>;

/** Answers requests of CloudFormation about the resources of an application, and of Secrets Manager to rotate its key. */
export async function registerApplication(request: RegistrationRequest | RotationRequest): Promise<void> {
  if ('Step' in request) return rotateKey(rotatedOwner(request), request);
  await answerResource(request, registerPart);
}

/** The properties of the key as of the last deployment, from the environment: a rotation names only the secret. */
function rotatedOwner({ SecretId }: RotationRequest): KeyOwner {
  const properties: RegistrationProperties = JSON.parse(process.env.KEY_PROPERTIES ?? '{}');
  if (properties.SecretId !== SecretId) throw new Error(`This function does not rotate ${SecretId}`);
  return ownerOf(properties);
}

/** Creates, changes or deletes one of the resources, and returns its id; each may be repeated. */
export async function registerPart(request: RegistrationRequest): Promise<string | CreatedResource> {
  const { RequestType, ResourceType, PhysicalResourceId } = request;
  const part = parts[ResourceType];
  if (part === undefined) throw new Error(`There is no resource ${ResourceType}`);
  if (RequestType !== 'Delete') {
    await requireAllowed(request);
    return part.ensure(request);
  }
  // What a failed deployment has created stays registered: the id of a deleted application could never be used again.
  const isThere = PhysicalResourceId !== neverCreated;
  if (isThere && !(await isRollingBack(client, request.StackId))) await part.remove(request);
  return PhysicalResourceId ?? neverCreated;
}

/**
 * Without `iamRoles` the Management API would let this function do everything, so it goes on only as an operator of its one
 * application. Its role cannot be that of two, so it could not delete the former one either.
 */
async function requireAllowed({ ResourceProperties, OldResourceProperties }: RegistrationRequest): Promise<void> {
  const { ManageUrl, AppId: appId } = ResourceProperties;
  if (OldResourceProperties !== undefined && OldResourceProperties.AppId !== appId) {
    throw new Error(
      `An AccessApplication cannot change its appId from ${OldResourceProperties.AppId} to ${appId}: add one for ${appId}, and remove the other in a later deployment`,
    );
  }
  const { id, roles } = await callManage(ManageUrl, 'get-operator', {});
  if (roles.some(({ role }) => role === 'admin') && roles.every((held) => held.appId === appId)) return;
  throw new Error(
    `The service has not allowed ${id} to register ${appId} and nothing else: it needs allowRegistration('${appId}') and the role of that name`,
  );
}

const client = new CloudFormationClient({});

interface Part {
  ensure(request: RegistrationRequest): Promise<string | CreatedResource>;
  remove(request: RegistrationRequest): Promise<void>;
}

const parts: Readonly<Record<string, Part>> = {
  [resourceTypes.application]: {
    async ensure({ RequestId, StackId, ResourceProperties: properties }) {
      const { ManageUrl, AppId: appId, Settings = '{}' } = properties;
      const settings = JSON.parse(Settings);
      const { requestsPerSecond, ...creatable } = settings;
      const created = await ignoring('already_exists', () =>
        callManage(ManageUrl, 'create-application', { body: { appId, ...creatable } }, `${RequestId}-create`),
      );
      if (created && requestsPerSecond === undefined) return appId;
      // A change of the rollout needs a reason where the application requires one.
      const reason = settings.rolloutPercent !== undefined && { reason: `Deployment of the stack ${nameOf(StackId)}` };
      const update = { path: { appId }, body: { ...settings, ...reason } };
      const changed = await ignoring('application_not_found', () =>
        callManage(ManageUrl, 'update-application', update, `${RequestId}-change`),
      );
      if (changed) return appId;
      throw new Error(`The application ${appId} was deleted, and its id is never used again: choose another appId`);
    },
    async remove({ ResourceProperties: { ManageUrl, AppId, Force } }) {
      const input = { path: { appId: AppId }, query: forced(Force) };
      await removeWhole(() => callManage(ManageUrl, 'delete-application', input), 'application_not_found');
    },
  },
  [resourceTypes.role]: {
    async ensure({ RequestId, ResourceProperties: { ManageUrl, AppId, Role = '', Description } }) {
      const input = { path: { appId: AppId, role: Role }, body: { description: Description ?? null } };
      await callManage(ManageUrl, 'define-role', input, RequestId);
      return `${AppId}/${Role}`;
    },
    async remove({ ResourceProperties: { ManageUrl, AppId, Role = '', Force } }) {
      const input = { path: { appId: AppId, role: Role }, query: forced(Force) };
      const remove = () => callManage(ManageUrl, 'delete-role', input);
      await removeWhole(remove, 'role_not_found', 'application_not_found');
    },
  },
  [resourceTypes.key]: {
    async ensure({ RequestId, ResourceProperties: properties }) {
      await ensureKey(ownerOf(properties), RequestId);
      return `${properties.AppId}/key`;
    },
    // The deletion of the application ends its keys. If that is refused, they are still in use.
    async remove() {},
  },
  [resourceTypes.login]: {
    async ensure({ RequestId, ResourceProperties }) {
      const { ManageUrl, AppId, RedirectUris = '[]', LogoutUris = '[]', ClientType } = ResourceProperties;
      const path = { appId: AppId };
      const clientType = ClientType === 'confidential' ? 'confidential' : 'public';
      const body = { clientType, redirectUris: JSON.parse(RedirectUris), logoutUris: JSON.parse(LogoutUris) } as const;
      const { issuer, changed, error } = await callManage(ManageUrl, 'set-login', { path, body }, RequestId);
      if (issuer === null) throw new Error('The service has no login: its team sets the setting login to on');
      const clientId = await findClientId(ManageUrl, AppId, changed ? error : null);
      return { id: `${AppId}/login`, attributes: { ClientId: clientId, Issuer: issuer } };
    },
    async remove({ ResourceProperties: { ManageUrl, AppId } }) {
      const path = { appId: AppId };
      await ignoring('application_not_found', () => callManage(ManageUrl, 'delete-login', { path }));
    },
  },
};

/** The login has a client some seconds after it was set. */
const clientPauseMilliseconds = 1000;
const maxClientReads = 90;

/** After a change, an earlier error may still be there until the provider has been told: it counts once nothing else comes. */
async function findClientId(manageUrl: string, appId: string, earlier: string | null): Promise<string> {
  let latest: string | null = null;
  for (let read = 1; read <= maxClientReads; read++) {
    const { clientId, error } = await callManage(manageUrl, 'get-login', { path: { appId } });
    latest = error;
    if (error !== null && error !== earlier) break;
    if (error === null && clientId !== null) return clientId;
    await pause(clientPauseMilliseconds);
  }
  if (latest !== null) throw new Error(`The login of the application was refused: ${latest}`);
  throw new Error('The login of the application has no client yet: deploy again');
}

/** The name of a stack by its id, which is an ARN. */
function nameOf(stackId: string): string {
  return stackId.split('/')[1] ?? stackId;
}

function ownerOf(properties: RegistrationProperties): KeyOwner {
  const {
    ManageUrl: manageUrl,
    AppId: appId,
    Url = '',
    Label = '',
    Scopes = '',
    SecretId = '',
    ClientType,
  } = properties;
  const hasLoginSecret = ClientType === 'confidential';
  return { manageUrl, appId, url: Url, label: Label, scopes: scopesOf(Scopes), secretId: SecretId, hasLoginSecret };
}

function scopesOf(names: string): readonly Scope[] {
  return scopes.filter((scope) => names.split(',').includes(scope));
}

function forced(force: string): { readonly force: boolean } {
  return { force: force === 'true' };
}

/** Deletes what may be gone already. */
async function removeWhole(remove: () => Promise<unknown>, ...gone: readonly string[]): Promise<void> {
  try {
    await remove();
  } catch (error) {
    if (!(error instanceof ManageError)) throw error;
    if (gone.includes(error.code)) return;
    throw error.code.endsWith('_in_use') ? new Error(`${error.message} ${inUse}`) : error;
  }
}

const inUse =
  'An AccessApplication deletes what is in use with deleteInUse: true, and keeps it with RemovalPolicy.RETAIN.';

/** Whether a call was accepted; false if it was refused with this code. */
async function ignoring(code: string, call: () => Promise<unknown>): Promise<boolean> {
  try {
    await call();
    return true;
  } catch (error) {
    if (error instanceof ManageError && error.code === code) return false;
    throw error;
  }
}
