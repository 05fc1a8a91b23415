import { expect, test } from '@jest/globals';
import { regionOfFunctionUrl } from '#client/management/function-url-region.ts';

test.each([
  ['https://abc123.lambda-url.us-east-1.on.aws/', 'us-east-1'],
  ['https://abc123.lambda-url.eu-central-1.on.aws', 'eu-central-1'],
  ['https://auth.example.com/abc.lambda-url.us-east-1.on.aws', undefined],
  ['http://127.0.0.1:8081', undefined],
])('a request to %s is signed for the Region %s', (manageUrl, region) => {
  expect(regionOfFunctionUrl(manageUrl)).toBe(region);
});
