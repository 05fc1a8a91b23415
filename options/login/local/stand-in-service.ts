import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import * as v from 'valibot';
import { closeServer, listenOn } from '#local/listen.ts';
import { CognitoError, readInput } from './cognito-error.ts';
import { clientActions } from './stand-in-clients.ts';
import type { StandInPool } from './stand-in-pool.ts';
import { userActions } from './stand-in-users.ts';

/** Cognito's API for one pool. */
export interface StandInService {
  /** For `AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER`. */
  readonly url: string;
  close(): Promise<void>;
}

const actions = new Map(Object.entries({ ...userActions, ...clientActions }));

/** Answers Cognito's actions on a pool on 127.0.0.1, in its protocol, JSON 1.1; the pool is saved after each that writes. */
export async function servePool(pool: StandInPool): Promise<StandInService> {
  const server = createServer(async (request, response) => {
    const target = `${request.headers['x-amz-target']}`;
    const { status, body } = answerAction(pool, target, await json(request).catch(() => undefined));
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
  });
  return { url: `http://127.0.0.1:${await listenOn(server, 0)}`, close: () => closeServer(server) };
}

/** The answer of Cognito to an action; `target` is the header `x-amz-target` of the request. */
export function answerAction(pool: StandInPool, target: string, input: unknown): { status: number; body: object } {
  try {
    return { status: 200, body: perform(pool, target, input) };
  } catch (error) {
    if (error instanceof CognitoError) return { status: 400, body: { __type: error.type, message: error.message } };
    const message = 'The stand-in of the user pool failed.';
    return { status: 500, body: { __type: 'InternalErrorException', message } };
  }
}

function perform(pool: StandInPool, target: string, input: unknown): object {
  const [, name = ''] = /^AWSCognitoIdentityProviderService\.(\w+)$/.exec(target) ?? [];
  const action = actions.get(name);
  if (action === undefined) throw new CognitoError('UnknownOperationException', `${name} is not supported.`);
  const { UserPoolId } = readInput(v.looseObject({ UserPoolId: v.string() }), input);
  if (UserPoolId !== pool.id) {
    throw new CognitoError('ResourceNotFoundException', `User pool ${UserPoolId} does not exist.`);
  }
  const result = action(pool, input);
  if (!/^(?:AdminGet|Describe|List)/.test(name)) pool.save();
  return result;
}
