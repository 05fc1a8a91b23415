import { createServer } from 'node:http';
import { expect, test } from '@jest/globals';
import { closeServer, listenOn } from '#local/listen.ts';
import { startExampleApplication } from '../../local/example-application.ts';

test('a port that was taken meanwhile is one sentence', async () => {
  // The login, on the port that the application is given.
  const login = createServer((_, response) => {
    const endpoints = { authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` };
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ issuer, ...endpoints }));
  });
  const port = String(await listenOn(login, 0));
  const issuer = `http://127.0.0.1:${port}`;
  const logged: string[] = [];
  try {
    const environment = { ISSUER: issuer, CLIENT_ID: 'client', PORT: port };
    await expect(startExampleApplication(environment, (line) => logged.push(line))).rejects.toThrow(
      `Port ${port} is in use: stop the other program, or choose another port with APP_PORT.`,
    );
    expect(logged).toEqual([]);
  } finally {
    await closeServer(login);
  }
});
