import * as catalog from '#options/catalog.ts';
import type { BearerSample } from '#shared/contract/bearer-sample.ts';
import { membersOf } from '#shared/contract/members-of-options.ts';
import { type Operation, takes, times } from './costed-operation.ts';
import { invokeBearerEndpoint } from './create-events.ts';
import { appId, userIdAt } from './written-table.ts';

const bearerSamples: readonly BearerSample[] = membersOf(catalog, 'samples').flat();

function operationOf({ endpoint, users = 0, request, designed, ...sample }: BearerSample): Operation {
  const { requests, readUnits, tableWriteUnits, indexWriteUnits } = designed;
  return {
    ...sample,
    isBrief: endpoint.kind === 'evaluate',
    designed: takes(requests, readUnits, tableWriteUnits, indexWriteUnits),
    invoke: (turn, { groupId, tokens }) => {
      // The second third of the users is only read.
      const userIds = Array.from({ length: users }, (_, each) => userIdAt(users === 1 ? turn + times : each));
      const [route] = endpoint.routes;
      const sent = request({ userIds, appId, groupId, turn });
      const { method = route.method, path = route.path, query = '', headers, body } = sent;
      const token = endpoint.kind === 'evaluate' ? tokens.gateway : tokens.directory;
      return invokeBearerEndpoint(endpoint, { method, target: `${path}?${query}`, token, headers, content: body });
    },
  };
}

/** What gateways and identity providers ask: with one item more than a GET, for the connection. */
export const questionOperations: readonly Operation[] = bearerSamples
  .filter(({ endpoint }) => endpoint.kind === 'evaluate')
  .map(operationOf);

/** What a directory does, in this order: it creates the users first. */
export const directoryOperations: readonly Operation[] = bearerSamples
  .filter(({ endpoint }) => endpoint.kind === 'scim')
  .map(operationOf);
