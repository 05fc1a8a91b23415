import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface FakeAws {
  /** The bodies of the calls of CodeDeploy's only supported action. */
  readonly statuses: readonly object[];
  stop(): Promise<void>;
}

/** Lambda's Invoke and CodeDeploy's answer to a hook, for callers who sign; `AWS_ENDPOINT_URL` leads here. */
export async function startFakeAws(invoke: (arn: string, payload: never) => Promise<unknown>): Promise<FakeAws> {
  const statuses: object[] = [];
  const answer = async (url: string, headers: IncomingHttpHeaders, body: string): Promise<[number, unknown]> => {
    if (headers['x-amz-target'] === 'CodeDeploy_20141006.PutLifecycleEventHookExecutionStatus') {
      if (headers['content-type'] !== 'application/x-amz-json-1.1') return [415, {}];
      statuses.push(JSON.parse(body));
      return [200, {}];
    }
    const [, arn] = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(url) ?? [];
    if (arn === undefined) return [404, {}];
    return [200, await invoke(decodeURIComponent(arn), JSON.parse(body) as never)];
  };
  const server = createServer(async (request, response) => {
    const { url = '', headers } = request;
    const body = await text(request);
    const service = url === '/' ? 'codedeploy' : 'lambda';
    const isSigned = headers.authorization?.includes(`/local/${service}/aws4_request, SignedHeaders=`);
    try {
      const [status, result] = isSigned ? await answer(url, headers, body) : [403, {}];
      response.writeHead(status).end(JSON.stringify(result));
    } catch (error) {
      response
        .writeHead(200, { 'x-amz-function-error': 'Unhandled' })
        .end(JSON.stringify({ errorMessage: `${error}` }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.env.AWS_ENDPOINT_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { statuses, stop };
}
