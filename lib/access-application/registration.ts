import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { pause } from '#shared/core/clock.ts';
import { answerResource, neverCreated, type ResourceRequest } from '../releases/custom-resource.ts';
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
export async function registerPart(request: RegistrationRequest): Promise<string> {
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
  const { id, roles } = await callManage<Operator>(ManageUrl, { method: 'GET', path: '/operator' });
  if (roles.some(({ role }) => role === 'admin') && roles.every((held) => held.appId === appId)) return;
  throw new Error(
    `The service has not allowed ${id} to register ${appId} and nothing else: it needs allowRegistration('${appId}') and the role of that name`,
  );
}

interface Operator {
  readonly id: string;
  readonly roles: readonly { readonly role: string; readonly appId: string | null }[];
}

const client = new CloudFormationClient({});

interface Part {
  ensure(request: RegistrationRequest): Promise<string>;
  remove(request: RegistrationRequest): Promise<void>;
}

const parts: Readonly<Record<string, Part>> = {
  [resourceTypes.application]: {
    async ensure({ RequestId, ResourceProperties: properties }) {
      const { ManageUrl, AppId: appId, Settings = '{}' } = properties;
      const settings = JSON.parse(Settings);
      const { requestsPerSecond, ...creatable } = settings;
      const created = await ignoring('already_exists', () =>
        callManage(ManageUrl, {
          method: 'POST',
          path: '/applications',
          body: { appId, ...creatable },
          idempotencyKey: `${RequestId}-create`,
        }),
      );
      if (created && requestsPerSecond === undefined) return appId;
      const path = `/applications/${appId}`;
      const changed = await ignoring('application_not_found', () =>
        callManage(ManageUrl, { method: 'PATCH', path, body: settings, idempotencyKey: `${RequestId}-change` }),
      );
      if (changed) return appId;
      throw new Error(`The application ${appId} was deleted, and its id is never used again: choose another appId`);
    },
    async remove({ ResourceProperties: { ManageUrl, AppId, Force } }) {
      await removeWhole(ManageUrl, `/applications/${AppId}`, Force, 'application_not_found');
    },
  },
  [resourceTypes.role]: {
    async ensure({ RequestId, ResourceProperties: { ManageUrl, AppId, Role = '', Description } }) {
      await callManage(ManageUrl, {
        method: 'PUT',
        path: `/applications/${AppId}/roles/${encodeURIComponent(Role)}`,
        body: { description: Description ?? null },
        idempotencyKey: RequestId,
      });
      return `${AppId}/${Role}`;
    },
    async remove({ ResourceProperties: { ManageUrl, AppId, Role = '', Force } }) {
      const path = `/applications/${AppId}/roles/${encodeURIComponent(Role)}`;
      await removeWhole(ManageUrl, path, Force, 'role_not_found', 'application_not_found');
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
};

function ownerOf(properties: RegistrationProperties): KeyOwner {
  const { ManageUrl: manageUrl, AppId: appId, Url = '', Label = '', Scopes = '', SecretId = '' } = properties;
  return { manageUrl, appId, url: Url, label: Label, scopes: Scopes.split(','), secretId: SecretId };
}

/** An application is deleted when no request that read it is still running, which takes 20 seconds. */
const deletionPauseMilliseconds = 2000;

/** Deletes what may be too much for one request; it may be gone already. */
async function removeWhole(manageUrl: string, path: string, force: string, ...gone: string[]): Promise<void> {
  const request = { method: 'DELETE', path, query: { force } } as const;
  for (;;) {
    try {
      const { complete } = await callManage<{ readonly complete: boolean }>(manageUrl, request);
      if (complete) return;
      await pause(deletionPauseMilliseconds);
    } catch (error) {
      if (!(error instanceof ManageError)) throw error;
      if (gone.includes(error.code)) return;
      throw error.code.endsWith('_in_use') ? new Error(`${error.message} ${inUse}`) : error;
    }
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
