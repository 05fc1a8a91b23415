import Multiselect, { type MultiselectProps } from '@cloudscape-design/components/multiselect';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { Field } from '#dashboard/forms/field.tsx';
import { actionLabels } from '#shared/contract/change-words.ts';
import type { WebhookEvent } from '../contract/webhook.ts';
import { webhookEvents } from '../contract/webhook-events.ts';
import { webhookEventMeanings } from './event-meanings.ts';
import { usualEvents } from './webhook-setups.ts';

export interface EventsFieldProps {
  /** `null` for all. */
  readonly events: readonly WebhookEvent[] | null;
  readonly onChange: (events: readonly WebhookEvent[] | null) => void;
}

/** Asks which events a webhook receives. */
export function EventsField({ events, onChange }: EventsFieldProps) {
  return (
    <SpaceBetween size="s">
      <Field label="Events" pointer={events === null ? '#/events' : ''}>
        <RadioGroup
          value={events === null ? 'all' : 'chosen'}
          items={[
            { value: 'all', label: 'All events', description: 'Also those that later versions add.' },
            { value: 'chosen', label: 'Chosen events' },
          ]}
          onChange={({ detail }) => onChange(detail.value === 'all' ? null : usualEvents)}
        />
      </Field>
      {events !== null && (
        <Field label="Chosen events" pointer="#/events">
          <Multiselect
            placeholder="Choose events"
            options={groups}
            selectedOptions={events.map(optionOf)}
            filteringType="auto"
            filteringAriaLabel="Filter events"
            deselectAriaLabel={({ label = '' }) => `Remove ${label}`}
            onChange={({ detail }) =>
              onChange(webhookEvents.filter((event) => detail.selectedOptions.some(({ value }) => value === event)))
            }
          />
        </Field>
      )}
    </SpaceBetween>
  );
}

function optionOf(event: WebhookEvent): MultiselectProps.Option {
  const description = webhookEventMeanings[event];
  return { value: event, label: actionLabels[event], ...(description !== undefined && { description }) };
}

/** The events by what they are about, in the order of the service. */
const groups: MultiselectProps.OptionGroup[] = [
  { label: 'Users', kinds: /^(user|access)\.|^role\.(assigned|revoked)$/ },
  { label: 'The application and its roles', kinds: /^application\.|^role\.(defined|deleted)$/ },
  { label: 'Keys and webhooks', kinds: /^(key|webhook)\./ },
  { label: 'Others', kinds: /^(?!(user|access|role|application|key|webhook)\.)/ },
]
  .map(({ label, kinds }) => ({ label, options: webhookEvents.filter((event) => kinds.test(event)).map(optionOf) }))
  .filter(({ options }) => options.length > 0);
