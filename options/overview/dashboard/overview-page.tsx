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
import { applicationPath } from '#dashboard/shell/page-paths.ts';
import { RouteLink } from '#dashboard/shell/route-link.tsx';
import { accessLabels } from '#dashboard/words.ts';
import { fullRollout } from '#shared/contract/rollout.ts';
import type { OverviewView } from '../contract/overview.ts';
import { ChangesChart } from './changes-chart.tsx';
import { toDoWords } from './to-do-words.ts';

/** Numbers about users, blocks, keys, reviews and changes, each of which leads to its list. */
export default function OverviewPage() {
  usePageTitle('Overview');
  const api = useApi();
  const { stage, version } = useConfig();
  const { restriction } = useOperator();
  const { data, error, isPending, refetch } = useQuery({
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
      <ProblemAlert error={error} retry={refetch} />
      {isPending && <Spinner of="the numbers" />}
      {data && <Numbers overview={data} />}
    </SpaceBetween>
  );
}

function Numbers({ overview }: { readonly overview: OverviewView }) {
  // While a deployment is under way, an older service can answer, which has no rollouts.
  const { users, applications, rollouts = [], days, asOf } = overview;
  const toDos = toDosOf(overview, useContext(ToDosContext));
  const isNothing = ({ found }: ToDo) => found?.count === 0;
  return (
    <SpaceBetween size="l">
      <div className="beside level">
        <Container fitHeight header={<Header variant="h2">To do</Header>}>
          {toDos.every(isNothing) && <Box padding={{ vertical: 'xxs' }}>Nothing needs you now.</Box>}
          {toDos.map(
            (toDo) =>
              !isNothing(toDo) && (
                <Figure key={toDo.id} of={toDo.found?.count} more={toDo.found?.more} to={toDo.to} label={toDo.label} />
              ),
          )}
          {toDos.some(isNothing) && <Quiet toDos={toDos.filter(isNothing)} />}
        </Container>
        <Container fitHeight header={<Header variant="h2">Users</Header>}>
          <Figure of={users.active} to="/users?status=active" label="active" />
          <Figure of={users.inactive} to="/users?status=inactive" label="inactive" />
        </Container>
      </div>
      <Container header={<Header variant="h2">{`${accessLabels.disabled} by application`}</Header>}>
        {applications.length + rollouts.length === 0 && <Box>Nobody is blocked in an application.</Box>}
        {rollouts.map((rollout) => (
          <RolledOut key={rollout.appId} {...rollout} activeUsers={users.active} />
        ))}
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

/** What there is nothing to do about, with the lists that would name it. */
function Quiet({ toDos }: { readonly toDos: readonly ToDo[] }) {
  return (
    <div className="quiet">
      {toDos.map(({ id, to, label }) => (
        <RouteLink key={id} to={to}>
          No {label}
        </RouteLink>
      ))}
    </div>
  );
}

type RolledOutProps = OverviewView['rollouts'][number] & { readonly activeUsers: number };

/** About how many users the rollout of an application shuts out: those with a setting of their own are not known here. */
function RolledOut({ appId, name, rolloutPercent, activeUsers }: RolledOutProps) {
  return (
    <Figure
      of={Math.round((activeUsers * (fullRollout - rolloutPercent)) / fullRollout)}
      about
      to={`${applicationPath(appId)}?tab=rollout`}
      label={
        <>
          <span className="break">{name}</span>, rolled out to {rolloutPercent}%
        </>
      }
    />
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
  /** Whether it is an estimate. Default: it is counted. */
  readonly about?: boolean;
  readonly to: string;
  readonly label: ReactNode;
}

function Figure({ of, more = false, about = false, to, label }: FigureProps) {
  const before = `${more ? 'at least ' : ''}${about ? 'about ' : ''}`;
  return (
    <Box padding={{ vertical: 'xxs' }}>
      <RouteLink to={to}>
        {of !== undefined && <strong>{`${before}${of.toLocaleString('en')}`}</strong>} {label}
      </RouteLink>
    </Box>
  );
}
