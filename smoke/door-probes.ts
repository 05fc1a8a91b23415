import { allDoors, isTokenRefused, requestToDoor } from '#shared/canary/call-door.ts';
import type { SentRequest, ServiceReply } from '#shared/canary/call-service.ts';
import { type Door, doors, evaluateDoor, scimUsersDoor } from '#shared/contract/doors.ts';
import { hasRoute, keyOf, requireEqual, type Trial } from './trial.ts';

/** A check of an endpoint for connections; returns a detail to print. */
export interface DoorProbe {
  readonly name: string;
  readonly run: (trial: Trial) => Promise<string | undefined>;
}

/**
 * Every endpoint for connections must refuse a token that was never issued; with valid ones, a question is decided as by the
 * Service API, and a directory reads its users. A deployment without an endpoint is not asked.
 */
export function doorProbes({ api }: { readonly api: string }): readonly DoorProbe[] {
  const refusals = allDoors.filter(({ scope }) => scope !== null);
  return [
    ...refusals.map((door) =>
      probe(door, 'refuses an unknown token', (trial) => refuse(trial, requestToDoor(api, door))),
    ),
    probe(evaluateDoor, 'decides as the Service API does', (trial) => compareDecisions(trial, api)),
    probe(scimUsersDoor, 'answers a directory', (trial) => listAsDirectory(trial, api)),
  ];

  function probe(door: Door, does: string, run: DoorProbe['run']): DoorProbe {
    const name = `${door.name}  ${does}`;
    return {
      name,
      run: async (trial) => ((await hasRoute(trial, requestToDoor(api, door))) ? run(trial) : without(door)),
    };
  }
}

function without(door: Door): string {
  const [set] = Object.entries(doors).find(([, each]) => (each as readonly Door[]).includes(door)) ?? [];
  return `only with the setting doors = ${set}`;
}

async function refuse({ service }: Trial, request: SentRequest): Promise<string> {
  const reply = await service.send(request);
  if (isTokenRefused(reply)) return String(reply.status);
  throw new Error(`status is ${reply.status}, and the token was not refused`);
}

async function compareDecisions(trial: Trial, api: string): Promise<string> {
  const { service, userId, appId, connectionKey } = trial;
  const question = {
    subject: { type: 'user', id: userId },
    action: { name: 'enter' },
    resource: { type: 'application', id: appId },
  };
  const request = requestToDoor(api, evaluateDoor, connectionKey?.token);
  const { status, body } = await service.send({ ...request, body: JSON.stringify(question) });
  requireEqual('status', status, 200);
  const { effectiveStatus } = await service.call('get-access', { path: { userId } }, keyOf(trial));
  requireEqual('decision', body.decision, effectiveStatus === 'enabled');
  return `${effectiveStatus}, as the Service API says`;
}

/** With a connection of its own, which is deleted again. */
async function listAsDirectory({ manage, service, id }: Trial, api: string): Promise<string> {
  const { path } = directoryOf(id);
  const body = {
    ...path,
    kind: 'scim',
    name: `Smoke test ${id}`,
    applications: [],
    userIdAttribute: 'userName',
  } as const;
  await manage.call('create-connection', { body });
  try {
    const { token } = await manage.call('issue-connection-key', { path });
    const { status, body: list } = await service.send(requestToDoor(api, scimUsersDoor, token));
    requireEqual('status', status, 200);
    return requireCount(list);
  } finally {
    await manage.call('delete-connection', { path });
  }
}

/** The connection of a run that is a directory. */
export const directoryOf = (id: string) => ({ path: { connectionId: `scim-${id}` } });

function requireCount({ totalResults }: ServiceReply['body']): string {
  requireEqual('totalResults', totalResults, 0);
  return 'no users';
}
