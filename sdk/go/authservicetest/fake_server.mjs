// Serves test doubles of the service over HTTP, and obeys commands on stdin: one JSON object a line, answered by one on stdout.
// It ends when stdin does.
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const { createFakeAuthService } = await import(pathToFileURL(process.argv[2]).href);
const doubles = new Map();

async function create(options) {
  const double = await createFakeAuthService(options);
  const server = createServer((request, response) => answer(double, request, response));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  doubles.set(port, { double, server });
  const { keyId, secret } = double.options;
  return { id: port, baseUrl: `http://127.0.0.1:${port}`, keyId, secret };
}

async function answer(double, request, response) {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  try {
    const body = Buffer.concat(await request.toArray());
    const { method, headers, url } = request;
    const asked = new Request(`http://${headers.host}${url}`, {
      method,
      headers: Object.entries(headers).filter(([name]) => !['connection', 'content-length'].includes(name)),
      ...(body.byteLength > 0 && { body }),
      signal: gone.signal,
    });
    const answered = await double.fetch(asked);
    const date = new Date(double.now()).toUTCString();
    response.writeHead(answered.status, { date, ...Object.fromEntries(answered.headers) });
    response.end(Buffer.from(await answered.arrayBuffer()));
  } catch {
    response.destroy();
  }
}

async function close(id) {
  const { server } = doubles.get(id);
  doubles.delete(id);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

async function run({ call, id, args }) {
  if (call === 'create') return create(...args);
  if (call === 'close') return close(id);
  const { double } = doubles.get(id);
  if (call === 'requests') return double.requests;
  return (await double[call](...args)) ?? null;
}

for await (const line of createInterface({ input: process.stdin })) {
  const reply = await run(JSON.parse(line)).then(
    (result) => ({ result: result ?? null }),
    (error) => ({ error: { code: `${error.code ?? error.name}`, detail: `${error.detail ?? error.message}` } }),
  );
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
process.exit();
