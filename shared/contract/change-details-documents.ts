import {
  accessStateSchema,
  changeSchemas,
  grantStateSchema,
  issuedStateSchema,
  reviewStateSchema,
  revokedStateSchema,
  rotationStateSchema,
  userStateSchema,
} from './change-details.ts';
import { describeMembers } from './descriptions.ts';

describeMembers(
  Object.values(changeSchemas).map(({ entries }) => entries),
  {
    action: 'What happened.',
    before: 'The state before; `null` if there was none.',
    after: 'The state after; `null` if there is none.',
  },
);
describeMembers(accessStateSchema.entries, {
  status: 'The status that was set for this user in this application, or the default `enabled`.',
  explicit: 'Whether the status was ever set.',
});
describeMembers(userStateSchema.entries, { status: 'The global status of the user.' });
describeMembers(issuedStateSchema.entries, { scopes: 'The scopes of the key, separated by spaces.' });
describeMembers(revokedStateSchema.entries, { revokedAt: 'When the key was revoked; `null` if it was not.' });
describeMembers(reviewStateSchema.entries, {
  reviewedAsOf: 'When the list was read that was reviewed; `null` before the first review.',
  laterChanges:
    'How many changes of access and roles came after the list was read and before it was marked as reviewed.',
});
describeMembers(rotationStateSchema.entries, {
  newExpiresAt: 'When the new key expires; `null` for never.',
});
describeMembers(grantStateSchema.entries, {
  version: 'The version of what changed. Of two, the higher is the later.',
  granted: 'Whether the user has the role.',
  expiresAt: 'When the grant expires; `null` for never.',
  fromGroup: 'Whether a group of a directory gave the role, and nobody has assigned it since. Default: `false`.',
});
