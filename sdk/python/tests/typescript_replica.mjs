// A replica of the TypeScript SDK, which decides about users when stdin asks: a JSON object a line, answered by one on stdout.
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [, , folder, options] = process.argv;
const load = (name) => import(pathToFileURL(`${folder}/dist/${name}.js`).href);
const [{ AuthServiceClient }, { createAccessReplica }] = await Promise.all([load('index'), load('replica')]);

const { baseUrl, keyId, secret, replica: limits } = JSON.parse(options);
let ahead = 0;
const client = new AuthServiceClient({ baseUrl, keyId, secret, now: () => Date.now() + ahead });
const replica = await createAccessReplica({ client, ...limits });

async function catchUp() {
  const since = performance.now();
  while (replica.ageSeconds * 1000 >= performance.now() - since) await new Promise((resolve) => setTimeout(resolve, 2));
}

for await (const line of createInterface({ input: process.stdin })) {
  const { advance, follow, users } = JSON.parse(line);
  if (advance) ahead += advance * 1000;
  if (follow) await catchUp();
  const decisions = (users ?? []).map((userId) => {
    const { effectiveStatus, decidedBy, roles, code } = replica.check(userId);
    return { effectiveStatus, decidedBy, roles, code };
  });
  process.stdout.write(`${JSON.stringify(decisions)}\n`);
}
await replica.close();
process.exit();
