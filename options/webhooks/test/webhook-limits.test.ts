import { expect, test } from '@jest/globals';
import { documentedLimit } from '#test/support/documented-limit.ts';
import { maxWebhooksPerApplication } from '../contract/webhook.ts';

test('the page on limits says how many webhooks an application may have', () => {
  expect(documentedLimit('webhooks of an application')).toContain(`| ${maxWebhooksPerApplication} `);
});
