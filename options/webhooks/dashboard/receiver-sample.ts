/** A whole receiver in Node, which verifies each delivery with the package `standardwebhooks`. */
export const receiverSample = `import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
createServer(async (request, response) => {
  const body = await text(request);
  try {
    const { type, data } = webhook.verify(body, request.headers);
    console.log(type, data);
    response.writeHead(204).end();
  } catch {
    response.writeHead(401).end();
  }
}).listen(process.env.PORT);
`;
