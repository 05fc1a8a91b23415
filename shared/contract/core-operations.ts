import { accessManageOperations, accessServiceOperations } from './access.ts';
import { accessCheckServiceOperations } from './access-check.ts';
import { accessListsManageOperations } from './access-lists.ts';
import { accessSnapshotServiceOperations } from './access-snapshot.ts';
import { apiKeyManageOperations } from './api-key.ts';
import { applicationManageOperations } from './application.ts';
import { grantManageOperations, grantServiceOperations } from './grant.ts';
import { historyManageOperations, historyServiceOperations } from './history.ts';
import { operatorManageOperations } from './operator.ts';
import { roleManageOperations } from './role.ts';
import { roleMembersManageOperations } from './role-members.ts';
import { undoManageOperations } from './undo.ts';
import { userManageOperations } from './user.ts';

/** What the core has of the Service API, by the names of its operations. */
export const coreServiceOperations = {
  ...accessServiceOperations,
  ...grantServiceOperations,
  ...accessCheckServiceOperations,
  ...accessSnapshotServiceOperations,
  ...historyServiceOperations,
} as const;

/** What the core has of the Management API. */
export const coreManageOperations = {
  ...operatorManageOperations,
  ...applicationManageOperations,
  ...apiKeyManageOperations,
  ...roleManageOperations,
  ...roleMembersManageOperations,
  ...userManageOperations,
  ...accessManageOperations,
  ...accessListsManageOperations,
  ...grantManageOperations,
  ...historyManageOperations,
  ...undoManageOperations,
} as const;
