/** What the SDK signs requests with on this machine, where nobody checks it; one region and key for all, as DynamoDB Local keeps a database for each. */
export const localAccess = {
  region: 'local',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
} as const;
