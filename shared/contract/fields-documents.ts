import { describeMembers } from './descriptions.ts';
import { dryRunQuerySchema, forceQuerySchema, pageQuery, pathSchemas } from './fields.ts';

describeMembers(pathSchemas, {
  connectionId: 'The connection.',
  webhookId: 'The webhook.',
  appId: 'The application. In the Service API it is always that of the API key.',
  userId: 'The user, by the id that your applications share.',
  role: 'The name of the role in the application. Case-sensitive.',
  keyId: 'The API key. Not secret.',
});
describeMembers(pageQuery, {
  limit: 'The maximum number of items on a page.',
  cursor: 'The `cursor` of the previous page, unchanged.',
});
describeMembers(forceQuerySchema.entries, {
  force: 'Whether to delete it even if it is in use.',
});
describeMembers(dryRunQuerySchema.entries, {
  dryRun:
    'Whether to validate and decide without writing anything. The answer or refusal is the one that the request would get now; new ids in it are not stored.',
});
