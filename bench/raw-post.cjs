// The minimum for a first response: one HTTPS POST with the body of a GET's read, and nothing else.
const { Agent, request } = require('node:https');

const agent = new Agent({ keepAlive: true });
const key = (pk, sk) => ({ pk: { S: pk }, sk: { S: sk } });
const Keys = [
  key('APP#app-0000', 'APP'),
  key('USER#user-0000000', 'USER'),
  key('USER#user-0000000', 'ACCESS#app-0000'),
];
const body = JSON.stringify({ RequestItems: { [process.env.TABLE_NAME]: { Keys, ConsistentRead: true } } });
const headers = {
  'content-type': 'application/x-amz-json-1.0',
  'content-length': body.length,
  'x-amz-target': 'DynamoDB_20120810.BatchGetItem',
};

exports.handler = () =>
  new Promise((resolve, reject) => {
    const sent = request(process.env.AWS_ENDPOINT_URL, { method: 'POST', agent, headers }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => resolve({ statusCode: response.statusCode, body: Buffer.concat(chunks).toString() }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
