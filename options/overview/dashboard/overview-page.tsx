import Badge from '@cloudscape-design/components/badge';
import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useContext } from 'react';
import { LocalTime } from '#dashboard/lists/local-time.tsx';
import { ProblemAlert } from '#dashboard/lists/problem-alert.tsx';
import { Spinner } from '#dashboard/lists/query-status.tsx';
import { countedToDo, type ToDo, type ToDos } from '#dashboard/options/option-pages.ts';
import { ToDosContext } from '#dashboard/options/to-dos.ts';
import { useApi, useConfig } from '#dashboard/session/dashboard-context.ts';
import { useOperator } from '#dashboard/session/use-operator.ts';
import { usePageTitle } from '#dashboard/shell/frame.tsx';
import { applicationPath, RouteLink } from '#dashboard/shell/route-link.tsx';
import { accessLabels } from '#dashboard/words.ts';
import type { OverviewView } from '../contract/overview.ts';
import { ChangesChart } from './changes-chart.tsx';
import { toDoWords } from './to-do-words.ts';

/** Numbers about users, blocks, keys, reviews and changes, each of which leads to its list. */
export default function OverviewPage() {
  usePageTitle('Overview');
  const api = useApi();
  const { stage, version } = useConfig();
  const { restriction } = useOperator();
  const { data, error, isPending } = useQuery({
    queryKey: ['overview'],
    queryFn: ({ signal }) => api('get-overview', { query: {}, signal }),
  });
  const deployment = [stage, version].filter(Boolean).join(' · ');
  return (
    <SpaceBetween size="l">
      <Header
        variant="h1"
        info={deployment && <Badge>{deployment}</Badge>}
        {...(restriction && { description: restriction })}
      >
        Overview
      </Header>
      <ProblemAlert error={error} />
      {isPending && <Spinner of="the numbers" />}
      {data && <Numbers overview={data} />}
    </SpaceBetween>
  );
}

function Numbers({ overview }: { readonly overview: OverviewView }) {
  const { users, applications, days, asOf } = overview;
  const added = useContext(ToDosContext);
  return (
    <SpaceBetween size="l">
      <div className="beside level">
        <Container fitHeight header={<Header variant="h2">Users</Header>}>
          <Figure of={users.active} to="/users?status=active" label="active" />
          <Figure of={users.inactive} to="/users?status=inactive" label="inactive" />
        </Container>
        <Container fitHeight header={<Header variant="h2">To do</Header>}>
          {toDosOf(overview, added).map(({ id, found, to, label }) => (
            <Figure key={id} of={found?.count} more={found?.more} to={to} label={label} />
          ))}
        </Container>
      </div>
      <Container header={<Header variant="h2">{`${accessLabels.disabled} by application`}</Header>}>
        {applications.length === 0 && <Box>Nobody is blocked in an application.</Box>}
        {applications.map(({ appId, name, blocked }) => (
          <Figure
            key={appId}
            of={blocked}
            to={`${applicationPath(appId)}?tab=users&access=blocked`}
            label={<span className="break">{name}</span>}
          />
        ))}
      </Container>
      <Container header={<Header variant="h2">Changes</Header>}>
        <ChangesChart days={days} />
      </Container>
      {asOf !== null && (
        <Box variant="small" color="text-body-secondary">
          Counted up to <LocalTime at={asOf} withSeconds />.
        </Box>
      )}
    </SpaceBetween>
  );
}

/** What needs attention, with the list that names it. What is counted comes before what is named. */
function toDosOf(overview: OverviewView, added: readonly ToDos[]): readonly ToDo[] {
  const { blocksEndingThisWeek, keys } = overview;
  const values: Readonly<Record<string, unknown>> = { ...overview };
  const all: readonly ToDo[] = [
    countedToDo('/block-ends', blocksEndingThisWeek, toDoWords.blocks),
    countedToDo('/keys?show=ends-soon', keys.expiring, toDoWords.expiringKeys),
    countedToDo('/keys?show=unused', keys.unused, toDoWords.unusedKeys),
    ...added.flatMap(({ member, of }) => (values[member.name] === undefined ? [] : of(values[member.name]))),
  ];
  return [...all.filter(({ found }) => found !== undefined), ...all.filter(({ found }) => found === undefined)];
}

interface FigureProps {
  /** Undefined for something that is named instead. */
  readonly of: number | undefined;
  /** Whether there may be more. */
  readonly more?: boolean | undefined;
  readonly to: string;
  readonly label: ReactNode;
}

function Figure({ of, more = false, to, label }: FigureProps) {
  return (
    <Box padding={{ vertical: 'xxs' }}>
      <RouteLink to={to}>
        {of !== undefined && <strong>{`${more ? 'at least ' : ''}${of.toLocaleString('en')}`}</strong>} {label}
      </RouteLink>
    </Box>
  );
}
