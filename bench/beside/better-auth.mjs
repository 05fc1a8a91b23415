// Serves better-auth with a user who is logged in, and writes as a line of JSON how to ask for the session.
import { createServer } from 'node:http';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { admin } from 'better-auth/plugins';
import pg from 'pg';

const server = createServer((request, response) => handle(request, response)).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const baseURL = `http://127.0.0.1:${server.address().port}`;
const auth = betterAuth({
  baseURL,
  secret: 'a secret of the bench alone, which protects nothing',
  database: new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 }),
  emailAndPassword: { enabled: true },
  // With each session, who is banned and the role.
  plugins: [admin()],
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
});
const handle = toNodeHandler(auth);
await (await getMigrations(auth.options)).runMigrations();
const body = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' };
const { headers } = await auth.api.signUpEmail({ body, returnHeaders: true });
const [cookie] = headers.getSetCookie()[0].split(';');
console.log(JSON.stringify({ url: `${baseURL}/api/auth/get-session`, headers: { cookie }, expected: body.email }));
