import Checkbox from '@cloudscape-design/components/checkbox';
import Input from '@cloudscape-design/components/input';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ConnectionView } from '#shared/contract/connection.ts';
import { Field } from '../forms/field.tsx';

/** How requests of a proxy say who the user is. */
export interface Identity {
  readonly by: 'none' | 'token' | 'header';
  readonly issuer: string;
  readonly audience: string;
  readonly isOverwritten: boolean;
}

export interface GatewayFieldsProps {
  readonly identity: Identity;
  readonly onChange: (identity: Identity) => void;
}

/** The settings of a connection of the kind `evaluate`, beside its applications. */
export function GatewayFields({ identity, onChange }: GatewayFieldsProps) {
  return (
    <SpaceBetween size="m">
      <Field
        label="Users of a proxy"
        description="Only for nginx, Caddy or Traefik: how their requests say who the user is."
        pointer="#/trustsUserHeader"
      >
        <RadioGroup
          value={identity.by}
          items={[
            { value: 'none', label: 'Not needed', description: 'AuthZEN names the user in each question.' },
            { value: 'token', label: 'By a token', description: 'A JWT that your identity provider has issued.' },
            { value: 'header', label: 'By the proxy', description: 'It authenticates users itself.' },
          ]}
          onChange={({ detail }) => onChange({ ...identity, by: detail.value as Identity['by'] })}
        />
      </Field>
      {identity.by === 'token' && (
        <SpaceBetween size="l">
          <Field
            label="Issuer"
            description="Exactly as in the tokens, such as https://login.example.com."
            pointer="#/issuer"
          >
            <Input
              value={identity.issuer}
              onChange={({ detail }) => onChange({ ...identity, issuer: detail.value.trim() })}
            />
          </Field>
          <Field label="Audience" description="What the tokens name as aud." pointer="#/audience">
            <Input
              value={identity.audience}
              onChange={({ detail }) => onChange({ ...identity, audience: detail.value.trim() })}
            />
          </Field>
        </SpaceBetween>
      )}
      {identity.by === 'header' && (
        <Checkbox
          checked={identity.isOverwritten}
          description="Otherwise anyone could be anybody."
          onChange={({ detail }) => onChange({ ...identity, isOverwritten: detail.checked })}
        >
          The proxy sets X-Original-User in every request, whatever its caller sent
        </Checkbox>
      )}
    </SpaceBetween>
  );
}

export function identityOf({
  issuer = null,
  audience = null,
  trustsUserHeader = false,
}: Partial<ConnectionView> = {}): Identity {
  const by = issuer !== null ? 'token' : trustsUserHeader ? 'header' : 'none';
  return { by, issuer: issuer ?? '', audience: audience ?? '', isOverwritten: trustsUserHeader };
}

/** The members of a request that say it. */
export function gatewayBody({ by, issuer, audience, isOverwritten }: Identity) {
  return by === 'token'
    ? { issuer, audience, trustsUserHeader: false }
    : { issuer: null, audience: null, trustsUserHeader: by === 'header' && isOverwritten };
}
