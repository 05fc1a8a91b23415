import { serviceOperations } from '#shared/contract/operations.ts';
import { operationClient } from './ask-operation.ts';
import { type DocumentedOperation, documentedOperations } from './documented.ts';
import { manageOutcomes } from './manage-outcomes.ts';
import { type AnyCall, type Outcome, rowsOf } from './outcomes.ts';
import type { Answer } from './send-request.ts';
import { serviceOutcomes } from './service-outcomes.ts';
import { serviceRequest } from './service-request.ts';
import type { TestService } from './start-service.ts';

/** The operations of both APIs alike, for what many of them promise. */
export interface EveryOperation {
  /** Each prepares a request that succeeds and changes something, the usual one first. */
  successes(operation: string): readonly [Outcome<AnyCall>, ...Outcome<AnyCall>[]];
  ask(operation: string, call: AnyCall, ifMatch?: string): Promise<Answer>;
}

export function everyOperation(service: () => TestService): EveryOperation {
  const manage = operationClient(service);
  const rows = [...rowsOf(serviceOutcomes(service)), ...rowsOf(manageOutcomes(service, manage))];
  return {
    successes: (operation) => {
      const done = rows.filter((row) => row.operation === operation && row.outcome.startsWith('done'));
      const [first, ...others] = done.map(({ prepare }) => prepare);
      if (first === undefined) throw new Error(`${operation} has no outcome "done"`);
      return [first, ...others];
    },
    ask: (operation, call, ifMatch) => {
      if (!(operation in serviceOperations)) return manage(operation, call, { ifMatch });
      const { method, target, body } = serviceRequest(serviceOperations[operation as 'get-access'], call);
      const headers: Record<string, string> = ifMatch === undefined ? {} : { 'if-match': ifMatch };
      return service().request([method, target], { body, headers });
    },
  };
}

/** The names of the operations that the OpenAPI document says this of. */
export function operationsThat(applies: (operation: DocumentedOperation['operation']) => boolean): string[] {
  return documentedOperations.flatMap(({ operation }) => (applies(operation) ? [operation.operationId] : []));
}
