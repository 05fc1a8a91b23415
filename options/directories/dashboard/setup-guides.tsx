import Box from '@cloudscape-design/components/box';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Link from '@cloudscape-design/components/link';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { Copyable } from '#dashboard/forms/copyable.tsx';
import { useFilter } from '#dashboard/lists/use-filter.ts';
import { useConfig } from '#dashboard/session/dashboard-context.ts';
import type { ConnectionTabProps } from '#options/connections/dashboard/connection-tab.ts';
import { type SetupField, setupGuides } from '../contract/directory-setup.ts';

/** What an administrator enters in the directory, field by field. */
export default function SetupGuides({ connection, onOpenTokens, token, product = '' }: ConnectionTabProps) {
  const { serviceUrl = location.origin } = useConfig();
  const { userIdAttribute } = connection;
  const guides = setupGuides({ apiUrl: serviceUrl, userIdAttribute: userIdAttribute ?? undefined });
  const [chosen, choose] = useFilter('in');
  const guide = guides.find(({ id }) => id === (chosen || product)) ?? guides[0];
  return (
    <SpaceBetween size="l">
      <SegmentedControl
        label="Directory"
        options={guides.map(({ id, product }) => ({ id, text: product }))}
        selectedId={guide?.id ?? null}
        onChange={({ detail }) => choose(detail.selectedId)}
      />
      {guide?.steps.map(({ place, fields }) => (
        <Container key={place} header={<Header variant="h2">{place}</Header>}>
          <ColumnLayout columns={2}>
            {fields.map((field) => (
              <SetupValue key={field.field} field={field} token={token} onOpenTokens={onOpenTokens} />
            ))}
          </ColumnLayout>
        </Container>
      ))}
    </SpaceBetween>
  );
}

interface SetupValueProps {
  readonly field: SetupField;
  readonly token: string | undefined;
  readonly onOpenTokens: () => void;
}

function SetupValue({ field: { field, value, enter, note }, token, onOpenTokens }: SetupValueProps) {
  if (enter === 'token' && token !== undefined) return <Copyable label={field} text={token} note={note} />;
  if (enter === 'text') return <Copyable label={field} text={value} note={note} />;
  return (
    <FormField label={field} constraintText={note}>
      {enter === 'choice' ? (
        <Box>{value}</Box>
      ) : (
        <Link
          href="?tab=tokens"
          onFollow={(event) => {
            event.preventDefault();
            onOpenTokens();
          }}
        >
          Issue a token
        </Link>
      )}
    </FormField>
  );
}
