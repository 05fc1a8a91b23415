import { expect, test } from '@jest/globals';
import { regionOf } from '../../lib/access-application/manage-caller.ts';

test.each([
  ['https://abc123.lambda-url.us-east-1.on.aws/', 'us-east-1'],
  ['http://127.0.0.1:8081', process.env.AWS_REGION],
])('a request to %s is signed for its Region, %s', (manageUrl, region) => {
  expect(regionOf(manageUrl)).toBe(region ?? '');
});
