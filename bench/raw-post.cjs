// The floor of a first answer: one HTTPS POST of the size of a read, and nothing else.
const { Agent, request } = require('node:https');

const agent = new Agent({ keepAlive: true });
const key = (pk, sk) => ({ pk: { S: pk }, sk: { S: sk } });
const Keys = [key('APP#billing', 'APP'), key('USER#ada', 'USER'), key('USER#ada', 'ACCESS#billing')];
const body = JSON.stringify({ RequestItems: { 'warm-up': { Keys, ConsistentRead: true } } });
const headers = {
  'content-type': 'application/x-amz-json-1.0',
  'content-length': body.length,
  'x-amz-target': 'DynamoDB_20120810.BatchGetItem',
  // The local table wants to see a signature, and does not verify it.
  'x-amz-date': '20260101T000000Z',
  authorization:
    'AWS4-HMAC-SHA256 Credential=bench/20260101/eu-west-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
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
