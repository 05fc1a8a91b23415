/**
 * The attributes that are read of all items with a chain, to sign its head: first the one that only they have. IAM requires the
 * keys in a list of attributes.
 */
export const headAttributes: readonly string[] = [
  'chainHead',
  'updatedAt',
  'lastChangeId',
  'userId',
  'appId',
  'connectionId',
  'role',
  'pk',
  'sk',
];
