import { accessOutcomes } from './manage-outcomes/access-outcomes.ts';
import { applicationOutcomes } from './manage-outcomes/application-outcomes.ts';
import { changeOutcomes } from './manage-outcomes/change-outcomes.ts';
import { connectionOutcomes } from './manage-outcomes/connection-outcomes.ts';
import { type AskManage, anything } from './manage-outcomes/prepare.ts';
import { repairOutcomes } from './manage-outcomes/repair-outcomes.ts';
import { roleOutcomes } from './manage-outcomes/role-outcomes.ts';
import { userOutcomes } from './manage-outcomes/user-outcomes.ts';
import { webhookOutcomes } from './manage-outcomes/webhook-outcomes.ts';
import type { ManageOutcomes } from './outcomes.ts';
import type { TestService } from './start-service.ts';

/** The requests of operators, by outcome. */
export function manageOutcomes(service: () => TestService, ask: AskManage): ManageOutcomes {
  return {
    'get-operator': { done: async () => ({ call: {}, status: 200 }), refused: anything },
    ...applicationOutcomes(service, ask),
    ...connectionOutcomes(ask),
    ...webhookOutcomes(),
    ...roleOutcomes(service),
    ...accessOutcomes(),
    ...userOutcomes(),
    ...changeOutcomes(ask),
    ...repairOutcomes(service),
  };
}
