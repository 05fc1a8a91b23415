import Checkbox from '@cloudscape-design/components/checkbox';
import Input from '@cloudscape-design/components/input';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { Field } from '#dashboard/forms/field.tsx';
import type { ConnectionView } from '../contract/connection.ts';

/** What asks by a connection of the kind `evaluate`, and so which settings it needs. */
export type GatewayPurpose = 'proxy' | 'question' | 'login';

/** How requests say who the user is and, at a login, where. */
export interface Identity {
  readonly by: 'none' | 'token' | 'header';
  readonly issuer: string;
  readonly audience: string;
  readonly isOverwritten: boolean;
  /** The clients of a login hook. */
  readonly clients: string;
  readonly userIdClaim: string;
}

export interface GatewayFieldsProps {
  /** What asks. Default: the settings of all are shown. */
  readonly purpose?: GatewayPurpose | undefined;
  readonly identity: Identity;
  readonly onChange: (identity: Identity) => void;
}

/** The settings of a connection of the kind `evaluate`, beside its applications. */
export function GatewayFields({ purpose, identity, onChange }: GatewayFieldsProps) {
  return (
    <SpaceBetween size="m">
      {purpose !== 'login' && purpose !== 'question' && (
        <Field
          label="Users of a proxy"
          description="Only for nginx or Caddy: how their requests say who the user is."
          pointer="#/trustsUserHeader"
        >
          <RadioGroup
            value={identity.by}
            items={[
              ...(purpose === undefined ? [notNeeded] : []),
              { value: 'token', label: 'By a token', description: 'A JWT that your identity provider has issued.' },
              { value: 'header', label: 'By the proxy', description: 'It authenticates users itself.' },
            ]}
            onChange={({ detail }) => onChange({ ...identity, by: detail.value as Identity['by'] })}
          />
        </Field>
      )}
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
      {(purpose === undefined || purpose === 'login') && (
        <SpaceBetween size="m">
          <Field
            label="Clients (optional)"
            description="Only for the login hook of Okta or Hydra: the application of each client whose ID differs."
            constraintText="Such as 0oa1=wiki 0oa2=billing"
            pointer="#/clients"
          >
            <Input
              value={identity.clients}
              onChange={({ detail }) => onChange({ ...identity, clients: detail.value })}
            />
          </Field>
          <Field
            label="User ID claim (optional)"
            description="Only for these hooks: the claim with the user ID, if it isn't the provider's own."
            pointer="#/userIdClaim"
          >
            <Input
              value={identity.userIdClaim}
              onChange={({ detail }) => onChange({ ...identity, userIdClaim: detail.value })}
            />
          </Field>
        </SpaceBetween>
      )}
    </SpaceBetween>
  );
}

const notNeeded = { value: 'none', label: 'Not needed', description: 'AuthZEN names the user in each question.' };

/** What a proxy still has to be told; undefined if nothing. */
export function missingIdentity({ by, issuer, audience, isOverwritten }: Identity): string | undefined {
  if (by === 'token' && (issuer === '' || audience === '')) return 'Enter the issuer and the audience of the tokens.';
  if (by === 'header' && !isOverwritten) return 'Confirm that the proxy sets X-Original-User itself.';
  return undefined;
}

export function identityOf({
  issuer = null,
  audience = null,
  trustsUserHeader = false,
  clients = null,
  userIdClaim = null,
}: Partial<ConnectionView> = {}): Identity {
  const by = issuer !== null ? 'token' : trustsUserHeader ? 'header' : 'none';
  const logins = { clients: clients ?? '', userIdClaim: userIdClaim ?? '' };
  return { by, issuer: issuer ?? '', audience: audience ?? '', isOverwritten: trustsUserHeader, ...logins };
}

/** The members of a request that say it. */
export function gatewayBody({ by, issuer, audience, isOverwritten, clients, userIdClaim }: Identity) {
  const logins = { clients: clients.trim() || null, userIdClaim: userIdClaim.trim() || null };
  return by === 'token'
    ? { issuer, audience, trustsUserHeader: false, ...logins }
    : { issuer: null, audience: null, trustsUserHeader: by === 'header' && isOverwritten, ...logins };
}
