import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { createTable } from '../../local/create-table.ts';
import { serveDevelopmentLogin } from '../../local/development-login.ts';
import { serveFunctionUrl } from '../../local/function-url.ts';
import { serveHttpApi } from '../../local/http-api.ts';
import {
  type AwsCall,
  type CallGuard,
  createCallGuard,
  type DecidedAuthorization,
  type Refusal,
} from '../../local/iam/guard-calls.ts';
import { signedCall } from '../../local/iam/guard-requests.ts';
import { type FunctionPolicies, readPolicies } from '../../local/iam/read-policies.ts';
import { invokedArn } from '../../local/iam/service-authorizations.ts';
import { createFunction, type LambdaFunction, type Outcome } from '../../local/lambda-function.ts';
import { closeServer, listenOn } from '../../local/listen.ts';
import { createAccessKey } from '../../local/local-credentials.ts';
import { pollStream } from '../../local/poll-stream.ts';
import { openAssembly, readFunctions, readStack } from '../../local/read-stack.ts';
import type { TemplateResources } from '../../local/template-resources.ts';
import { functionIdsOf, templateIn } from '../stack/synthesized-stack.ts';
import { withoutSettling } from './environments.ts';
import { HeadsStore } from './heads-store.ts';
import { runRoot } from './run-root.ts';
import { seedService, startEmulator, type TestService } from './start-service.ts';

/** One permission that a function needed, and the decision of the stack's policies. */
export interface Touch extends DecidedAuthorization {
  /** The name of the function's file. */
  readonly name: string;
}

/** `denied` has no permission any more; otherwise the outcome of an invocation is replaced. */
export type Fault = 'denied' | ((invoke: () => Promise<Outcome>) => Promise<Outcome>);

/** The bundles of a stack, each limited to the permissions of its role. */
export interface GuardedStack extends TestService {
  /** Everything that the functions requested from AWS. */
  readonly touches: readonly Touch[];
  /** The policies of each function, by its logical id. */
  readonly policies: ReadonlyMap<string, FunctionPolicies>;
  /** The reports to CodeDeploy. */
  readonly releases: readonly object[];
  /** The bucket of the signed heads. */
  readonly heads: HeadsStore;
  /** Rejects every event from now on as unpublishable. */
  refuseEvents(): void;
  /** The number of notices of such events that the bus received. */
  notices(): number;
  /** Invokes a function by the name of its file. */
  invoke(name: string, event: object): Promise<Outcome>;
  /** What happens instead when a function invokes this one; an entry is one fault. */
  readonly faults: Map<string, Fault>;
}

const tableName = process.env.TABLE_NAME ?? '';

/**
 * Starts all functions of a synthesized stack, including its canary's, from their bundles. A server between each and
 * AWS rejects what the policies of the stack do not allow, and records the requests. `environment` replaces variables of all
 * functions.
 */
export async function startGuarded(
  assembly: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<GuardedStack> {
  const dynamodb = await startEmulator();
  const { table, routes, functionUrl, eventSources } = readStack(assembly, { tableName });
  await createTable(table, dynamodb.endpoint);
  const login = await serveDevelopmentLogin({ port: 0 });
  const gate = new Gate(assembly, dynamodb.endpoint);
  await gate.listen();
  const invoke = (id: string, event: unknown) => gate.invoke(id, event);
  const api = await serveHttpApi({ routes, port: 0, localIssuer: login.issuer, invoke });
  const accessKey = createAccessKey();
  const manage = await serveFunctionUrl({
    accessKey,
    port: 0,
    invoke: (event) => invoke(functionUrl.functionId, event),
  });
  gate.start({ OPERATOR_ISSUER: login.issuer, API_URL: api.url, ...environment });
  const pollers = await Promise.all(
    eventSources.map((source) =>
      pollStream({
        endpoint: dynamodb.endpoint,
        tableName,
        source,
        invoke: (event) => invoke(source.functionId, event),
      }),
    ),
  );
  const where = {
    url: api.url,
    manageUrl: manage.url,
    accessKey,
    login,
    endpoint: dynamodb.endpoint,
    logLines: gate.logLines,
  };
  const stops = [
    ...pollers.map(({ close }) => close),
    api.close,
    manage.close,
    login.close,
    () => gate.close(),
    dynamodb.stop,
  ];
  const service = await seedService(where, stops);
  return {
    ...service,
    touches: gate.touches,
    policies: gate.policies,
    releases: gate.releases,
    heads: gate.heads,
    refuseEvents: () => {
      gate.refusesEvents = true;
    },
    notices: () => gate.notices,
    invoke: (name, event) => invoke(gate.idOf(name), event),
    faults: gate.faults,
  };
}

interface Call extends AwsCall {
  readonly functionId: string;
}

/** The server that the functions use as AWS. */
class Gate {
  readonly touches: Touch[] = [];
  readonly releases: object[] = [];
  readonly heads = new HeadsStore();
  readonly logLines: string[] = [];
  readonly policies: ReadonlyMap<string, FunctionPolicies>;
  readonly faults = new Map<string, Fault>();
  refusesEvents = false;
  notices = 0;
  readonly #assembly: string;
  readonly #resources: TemplateResources;
  readonly #dynamodb: string;
  readonly #ids: ReadonlyMap<string, string>;
  readonly #names: ReadonlyMap<string, string>;
  readonly #guards: ReadonlyMap<string, CallGuard>;
  readonly #functions = new Map<string, LambdaFunction>();
  readonly #server = createServer((request, response) => {
    this.#answer(request, response).catch((error: Error) => {
      this.logLines.push(`The request could not be decided: ${error.message}`);
      response.writeHead(500).end();
    });
  });
  #url = '';

  constructor(assembly: string, dynamodb: string) {
    this.#assembly = assembly;
    this.#dynamodb = dynamodb;
    this.#resources = openAssembly(assembly, { tableName });
    this.policies = readPolicies(this.#resources, tableName);
    this.#guards = new Map([...this.policies].map(([id, policies]) => [id, createCallGuard(policies)]));
    this.#ids = functionIdsOf(templateIn(assembly));
    this.#names = new Map([...this.#ids].map(([name, id]) => [id, name]));
  }

  async listen(): Promise<void> {
    this.#url = `http://127.0.0.1:${await listenOn(this.#server, 0)}`;
  }

  /** Each function calls AWS at its own path, which identifies the role to check. */
  start(environment: Readonly<Record<string, string>>): void {
    for (const model of readFunctions(this.#assembly, this.#resources, [...this.#names.keys()])) {
      const url = `${this.#url}/${model.logicalId}`;
      const endpoints = { AWS_ENDPOINT_URL_KMS: url, AWS_ENDPOINT_URL: url };
      // A run of the heads, or of deliveries, that has less time left hands the rest to another invocation. Of that of deliveries,
      // the last 15 s are not for sending, and a busy machine needs some for its beginning.
      const most = this.#names.get(model.logicalId) === 'deliver-webhook' ? 27 : 60;
      const timeoutSeconds = Math.min(model.timeoutSeconds, most);
      const started = createFunction(
        { ...model, timeoutSeconds },
        {
          dynamodb: url,
          eventBus: url,
          log: (line) => void this.logLines.push(line),
          environment: { ...withoutSettling, ...environment, ...endpoints },
        },
      );
      this.#functions.set(model.logicalId, started);
    }
  }

  idOf(name: string): string {
    const id = this.#ids.get(name);
    if (id === undefined) throw new Error(`The stack has no function ${name}`);
    return id;
  }

  async invoke(id: string, event: unknown): Promise<Outcome> {
    return (await this.#functions.get(id)?.invoke(event)) ?? { kind: 'failed' };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#functions.values()].map((fn) => fn.close()));
    await closeServer(this.#server);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const [, functionId = '', path = ''] = /^\/([^/]+)(\/.*)?$/.exec(request.url ?? '') ?? [];
    const signed = signedCall(request.headers, { method: request.method ?? '', path });
    if (signed === undefined) throw new Error(`The request to ${path} is not signed for AWS`);
    const call = { functionId, ...signed, body };
    const refusal = this.#decide(call);
    if (refusal !== undefined) {
      response.writeHead(refusal.statusCode, refusal.headers).end(refusal.body);
      return;
    }
    const answer = await this.#perform(call, request);
    response.writeHead(answer.status, answer.headers).end(answer.body);
  }

  #decide({ functionId, ...call }: Call): Refusal | undefined {
    const guard = this.#guards.get(functionId);
    if (guard === undefined) throw new Error(`${functionId} has no policies`);
    const decided = guard.decide(call);
    const isDenied = this.faults.get(this.#names.get(functionId) ?? '') === 'denied';
    if (isDenied) return guard.refusal(decided.map((one) => ({ ...one, decision: 'implicitly denied' })));
    this.touches.push(...decided.map((one) => ({ name: this.#names.get(functionId) ?? '', ...one })));
    return guard.refusal(decided);
  }

  async #perform({ service, operation, path, body }: Call, { headers }: IncomingMessage): Promise<GateAnswer> {
    if (service === 'lambda') {
      const [, id = ''] = /:function:([^:]+)/.exec(invokedArn(path)) ?? [];
      const fault = this.faults.get(this.#names.get(id) ?? '');
      const invoke = () => this.invoke(id, JSON.parse(body));
      if (headers['x-amz-invocation-type'] === 'Event') {
        void invoke();
        return { status: 202, headers: {}, body: '' };
      }
      return this.#invoked(await (typeof fault === 'function' ? fault(invoke) : invoke()));
    }
    const perform = await serviceOf(service);
    if (perform !== undefined) {
      const { status, body: answer } = perform(String(headers['x-amz-target']), Object(JSON.parse(body)));
      return { ...answerOf(answer), status };
    }
    if (service === 's3') return { headers: {}, ...this.heads.put(path, headers, body) };
    switch (operation) {
      case 'Sign':
        return { headers: { 'content-type': 'application/x-amz-json-1.1' }, ...this.heads.sign(body) };
      case 'GetPublicKey':
        return answerOf({ PublicKey: this.heads.publicKey });
      case 'GenerateMac':
        return answerOf({ Mac: runRoot });
      case 'PutEvents':
        return answerOf(this.#putEvents(Object(JSON.parse(body)).Entries));
      case 'GetParameter':
        return answerOf({ Parameter: this.#parameter(Object(JSON.parse(body)).Name) });
      case 'PutLifecycleEventHookExecutionStatus':
        this.releases.push(JSON.parse(body));
        return answerOf({});
      default:
        return this.#forward(body, headers);
    }
  }

  #parameter(name: string): object | undefined {
    const schema = v.object({ Name: v.string(), Value: v.string() });
    const parameters = this.#resources.idsOf(['AWS::SSM::Parameter']).map((id) => this.#resources.read(id, schema));
    return parameters.find(({ Name }) => Name === name);
  }

  /** Notices of unpublishable events are accepted. */
  #putEvents(entries: readonly { readonly Source: string }[]) {
    const outcomes = entries.map(({ Source }, at) => {
      const isNotice = Source.endsWith('.publisher');
      if (isNotice) this.notices += 1;
      return this.refusesEvents && !isNotice ? { ErrorCode: 'MalformedDetail' } : { EventId: `event-${at}` };
    });
    return { FailedEntryCount: 0, Entries: outcomes };
  }

  #invoked(outcome: Outcome): GateAnswer {
    if (outcome.kind === 'result') return { status: 200, headers: {}, body: outcome.json };
    return { status: 200, headers: { 'x-amz-function-error': 'Unhandled' }, body: '{}' };
  }

  async #forward(body: string, received: IncomingMessage['headers']): Promise<GateAnswer> {
    const { host: _, connection: __, 'content-length': ___, ...others } = received;
    const headers = Object.entries(others).map(([name, value]): [string, string] => [name, String(value)]);
    const answer = await fetch(this.#dynamodb, { method: 'POST', headers, body });
    return {
      status: answer.status,
      headers: { 'content-type': 'application/x-amz-json-1.0' },
      body: await answer.text(),
    };
  }
}

/** Loaded late, because the tests of options use stacks. */
async function serviceOf(name: string) {
  const { optionOutcomes } = await import('./option-outcomes.ts');
  return optionOutcomes.flatMap(({ services: { [name]: perform } = {} }) => perform ?? [])[0];
}

interface GateAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function answerOf(body: object): GateAnswer {
  return { status: 200, headers: { 'content-type': 'application/x-amz-json-1.1' }, body: JSON.stringify(body) };
}
