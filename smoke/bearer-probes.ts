import { bearerRequest, isTokenRefused } from '#shared/calls/call-bearer-endpoint.ts';
import type { SentRequest } from '#shared/calls/call-service.ts';
import type { BearerEndpoint } from '#shared/contract/bearer-endpoint.ts';
import { bearerEndpoints, endpointSets } from '../lib/options/endpoint-sets.ts';
import type { BearerProbe } from './bearer-probe.ts';
import { optionProbes } from './registered-probes.ts';
import { hasRoute, type Trial } from './trial.ts';

/** A probe, ready to run. */
export interface NamedProbe {
  readonly name: string;
  readonly run: (trial: Trial) => Promise<string>;
}

/**
 * Every endpoint for connections must refuse a token that was never issued; with valid ones, the probes of the options. A
 * deployment without an endpoint is not asked.
 */
export function bearerProbes({ api }: { readonly api: string }): readonly NamedProbe[] {
  const refusals = bearerEndpoints.flatMap((endpoint): BearerProbe[] => {
    const refusing = (trial: Trial) => refuse(trial, bearerRequest(api, endpoint));
    return endpoint.scope === null ? [] : [{ endpoint, does: 'refuses an unknown token', run: refusing }];
  });
  const ofOptions = optionProbes.flatMap(({ bearer = [] }) => bearer);
  return [...refusals, ...ofOptions].map(({ endpoint, does, run }) => ({
    name: `${endpoint.name}  ${does}`,
    run: async (trial) => ((await hasRoute(trial, bearerRequest(api, endpoint))) ? run(trial, api) : without(endpoint)),
  }));
}

function without(endpoint: BearerEndpoint): string {
  const [set] = Object.entries(endpointSets).find(([, each]) => each.includes(endpoint)) ?? [];
  return `only with the setting endpoints = ${set}`;
}

async function refuse({ service }: Trial, request: SentRequest): Promise<string> {
  const reply = await service.send(request);
  if (isTokenRefused(reply)) return String(reply.status);
  throw new Error(`status is ${reply.status}, and the token was not refused`);
}
