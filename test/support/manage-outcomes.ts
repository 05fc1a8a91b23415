import { expect } from '@jest/globals';
import type { coreManageOperations } from '#shared/contract/core-operations.ts';
import { manageOperations } from '#shared/contract/operations.ts';
import { accessOutcomes } from './manage-outcomes/access-outcomes.ts';
import { applicationOutcomes } from './manage-outcomes/application-outcomes.ts';
import { changeOutcomes } from './manage-outcomes/change-outcomes.ts';
import { keyOutcomes } from './manage-outcomes/key-outcomes.ts';
import { type AskManage, anything } from './manage-outcomes/prepare.ts';
import { roleOutcomes } from './manage-outcomes/role-outcomes.ts';
import { userOutcomes } from './manage-outcomes/user-outcomes.ts';
import { optionOutcomes } from './option-outcomes.ts';
import type { AnyCall, ManageOutcomes, Others } from './outcomes.ts';
import type { TestService } from './start-service.ts';

/** The requests of operators, by operation and outcome. */
export function manageOutcomes(service: () => TestService, ask: AskManage): Readonly<Record<string, Others<AnyCall>>> {
  const core: Pick<ManageOutcomes, keyof typeof coreManageOperations> = {
    'get-operator': {
      done: async () => {
        const answer = expect.objectContaining({ roles: [{ role: 'admin', appId: null }] });
        return { call: {}, status: 200, answer };
      },
      refused: anything,
    },
    ...applicationOutcomes(service, ask),
    ...keyOutcomes(service, ask),
    ...roleOutcomes(service),
    ...accessOutcomes(),
    ...userOutcomes(),
    ...changeOutcomes(ask),
  };
  const all: Record<string, Others<AnyCall>> = Object.assign(
    {},
    core,
    ...optionOutcomes.map(({ manage }) => manage?.(service, ask)),
  );
  for (const [name, more] of optionOutcomes.flatMap(({ more }) => Object.entries(more?.(service) ?? {}))) {
    if (name in manageOperations) all[name] = { ...all[name], ...more };
  }
  return all;
}
