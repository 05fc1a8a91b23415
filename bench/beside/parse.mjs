// Serves Parse with a user who is logged in, and writes as a line of JSON how to ask for that user.
import express from 'express';
import { ParseServer } from 'parse-server';

const app = express();
const server = app.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const serverURL = `http://127.0.0.1:${server.address().port}/parse`;
const ids = { appId: 'bench', masterKey: 'protects nothing', masterKeyIps: ['127.0.0.1'] };
const parse = new ParseServer({
  ...ids,
  serverURL,
  databaseURI: process.env.DATABASE_URL,
  logLevel: 'error',
  logsFolder: null,
});
await parse.start();
app.use('/parse', parse.app);
const response = await fetch(`${serverURL}/users`, {
  method: 'POST',
  headers: { 'x-parse-application-id': ids.appId, 'content-type': 'application/json' },
  body: JSON.stringify({ username: 'ada', password: 'correct horse battery' }),
});
const { sessionToken } = await response.json();
const headers = { 'x-parse-application-id': ids.appId, 'x-parse-session-token': sessionToken };
console.log(JSON.stringify({ url: `${serverURL}/users/me`, headers, expected: 'ada' }));
