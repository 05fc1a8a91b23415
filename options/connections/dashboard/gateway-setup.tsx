import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { Copyable } from '#dashboard/forms/copyable.tsx';
import { useConfig } from '#dashboard/session/dashboard-context.ts';
import type { GatewayPurpose } from './gateway-fields.tsx';

export interface GatewaySetupProps {
  readonly purpose: GatewayPurpose;
  readonly applications: readonly string[];
  readonly token: string;
}

/** What is entered where a gateway, a proxy or a login is configured. */
export function GatewaySetup({ purpose, applications, token }: GatewaySetupProps) {
  const { serviceUrl = location.origin } = useConfig();
  const { words, fields } = setupOf[purpose];
  const base = serviceUrl.replace(/\/$/, '');
  return (
    <SpaceBetween size="m">
      <Box variant="h3">{words}</Box>
      {fields({ base, appId: applications[0] ?? '', token }).map(([label, text]) => (
        <Copyable key={label} label={label} text={text} />
      ))}
    </SpaceBetween>
  );
}

interface Known {
  readonly base: string;
  readonly appId: string;
  readonly token: string;
}

interface Setup {
  readonly words: string;
  readonly fields: (known: Known) => readonly (readonly [label: string, text: string])[];
}

const setupOf: Readonly<Record<GatewayPurpose, Setup>> = {
  proxy: {
    words: 'In the file for nginx or Caddy',
    fields: ({ base, appId, token }) => [
      ['Host of the API, instead of api.example.com', new URL(base).host],
      ['Address that is asked', `${base}/access/v1/authorize?application=${appId}`],
      ['Header Authorization', `Bearer ${token}`],
    ],
  },
  question: {
    words: 'In the gateway',
    fields: ({ base, token }) => [
      ['Address of the policy decision point', base],
      ['Evaluation endpoint', `${base}/access/v1/evaluation`],
      ['Header Authorization', `Bearer ${token}`],
    ],
  },
  login: {
    words: 'In the token hook',
    fields: ({ base, token }) => [
      ['URL for Okta', `${base}/hooks/okta`],
      ['URL for Hydra', `${base}/hooks/hydra`],
      ['Header Authorization', `Bearer ${token}`],
    ],
  },
};
