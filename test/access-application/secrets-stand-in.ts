import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface Input {
  readonly SecretString?: string;
  readonly ClientRequestToken?: string;
  readonly VersionId?: string;
  readonly VersionStage?: string;
  readonly VersionStages?: readonly string[];
  readonly MoveToVersionId?: string;
  readonly RemoveFromVersionId?: string;
}

interface Version {
  readonly text: string;
  stages: Set<string>;
}

/** What this stands in for knows of a secret. */
export interface StoredSecret {
  readonly versions: Map<string, Version>;
}

/** Secrets Manager for one secret, by the rules of its API Reference for versions and stages. */
export async function imitateSecrets() {
  const secret: StoredSecret = { versions: new Map([['first', { text: '{}', stages: new Set(['AWSCURRENT']) }]]) };
  const failing = new Set<string>();
  const server = createServer(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).replace('secretsmanager.', '');
    const input = (await json(request)) as Input;
    const answer = failing.has(operation) ? refusal('InternalServiceError') : answerTo(secret, operation, input);
    response.writeHead('__type' in answer ? 400 : 200, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The operations that fail now. */
    failing,
    versions: secret.versions,
    /** The value of a stage. */
    valueAt(stage: string): Readonly<Record<string, string>> | undefined {
      const version = [...secret.versions.values()].find(({ stages }) => stages.has(stage));
      return version && JSON.parse(version.text);
    },
    close: () => void server.close(),
  };
}

function answerTo({ versions }: StoredSecret, operation: string, input: Input) {
  if (operation === 'GetSecretValue') {
    const found = [...versions].find(
      ([id, { stages }]) => stages.has(input.VersionStage ?? 'AWSCURRENT') && id === (input.VersionId ?? id),
    );
    if (found === undefined) return refusal('ResourceNotFoundException');
    return { SecretString: found[1].text, VersionId: found[0] };
  }
  if (operation === 'PutSecretValue') return put(versions, input);
  if (operation === 'DescribeSecret') {
    return { VersionIdsToStages: Object.fromEntries([...versions].map(([id, { stages }]) => [id, [...stages]])) };
  }
  if (operation === 'UpdateSecretVersionStage') {
    const current = [...versions].find(([, { stages }]) => stages.has('AWSCURRENT'))?.[0];
    if (current !== input.RemoveFromVersionId) return refusal('InvalidParameterException');
    makeCurrent(versions, input.MoveToVersionId ?? '');
    return {};
  }
  return refusal('UnknownOperationException');
}

function put(versions: Map<string, Version>, input: Input) {
  const { ClientRequestToken: id = '', SecretString: text = '', VersionStages: stages = [] } = input;
  if (id.length < 32 || id.length > 64) return refusal('ValidationException');
  const known = versions.get(id);
  if (known !== undefined && known.text !== text) return refusal('ResourceExistsException');
  if (known === undefined) versions.set(id, { text, stages: new Set() });
  if (stages.includes('AWSCURRENT')) makeCurrent(versions, id);
  for (const stage of stages.filter((name) => name !== 'AWSCURRENT')) move(versions, stage, id);
  return {};
}

/** What was current becomes the previous version. */
function makeCurrent(versions: Map<string, Version>, id: string): void {
  const current = [...versions].find(([, { stages }]) => stages.has('AWSCURRENT'))?.[0];
  if (current === id) return;
  if (current !== undefined) move(versions, 'AWSPREVIOUS', current);
  move(versions, 'AWSCURRENT', id);
}

function move(versions: Map<string, Version>, stage: string, id: string): void {
  for (const [other, { stages }] of versions) stages[other === id ? 'add' : 'delete'](stage);
}

function refusal(type: string) {
  return { __type: type };
}
