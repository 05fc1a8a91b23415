import { describeMembers } from '#shared/contract/descriptions.ts';
import { groupRoleSchema } from './group-roles.ts';

describeMembers(groupRoleSchema.entries, {
  group: 'The `displayName` of the group in the directory, exactly.',
});
