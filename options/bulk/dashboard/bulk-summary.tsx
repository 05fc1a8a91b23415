import KeyValuePairs, { type KeyValuePairsProps } from '@cloudscape-design/components/key-value-pairs';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { queryKeys } from '#dashboard/api/queries.ts';
import { type BulkRecord, countUsers, describeUndone, kindsOf, readBulk } from '#dashboard/history/bulk-record.ts';
import { CallerCell } from '#dashboard/history/caller-cell.tsx';
import { describeCaller } from '#dashboard/history/describe-caller.ts';
import type { Names } from '#dashboard/history/use-names.ts';
import { BreakableId } from '#dashboard/lists/breakable-id.tsx';
import { LocalTime } from '#dashboard/lists/local-time.tsx';
import { localTimeText } from '#dashboard/lists/local-time-text.ts';
import type { Bulk } from '#dashboard/options/option-pages.ts';
import { useApi } from '#dashboard/session/dashboard-context.ts';
import { applicationPath } from '#dashboard/shell/page-paths.ts';
import { RouteLink } from '#dashboard/shell/route-link.tsx';
import { differences } from '#shared/contract/change-words.ts';

/** A hundred changes each. */
const maxPages = 100;

/** The whole record of a bulk change. */
export function useBulk(bulk: Bulk) {
  const api = useApi();
  return useQuery({
    queryKey: [...queryKeys.changes, 'bulk', bulk, { maxPages }],
    queryFn: ({ signal }) => readBulk(api, { ...bulk, maxPages, signal }),
  });
}

export interface BulkSummaryProps {
  readonly record: BulkRecord;
  readonly names: Names;
}

/** What a bulk change did: action, application, operator, time and reason, for how many users, and whether it was undone. */
export function BulkSummary({ record, names }: BulkSummaryProps) {
  const [newest, oldest] = [record.changes[0], record.changes.at(-1)];
  if (newest === undefined || oldest === undefined) return null;
  const items: KeyValuePairsProps.Item[] = [
    { label: 'Action', value: <Action record={record} /> },
    { label: 'Application', value: <Applications record={record} names={names} /> },
    { label: 'Users', value: countUsers(record) },
    { label: 'Changed by', value: <CallerCell caller={oldest.caller} names={names} /> },
    { label: 'When', value: <Period from={oldest.at} to={newest.at} /> },
    { label: 'Reason', value: oldest.reason ?? '–' },
    { label: 'Undo', value: <Undone record={record} names={names} /> },
  ];
  return <KeyValuePairs columns={3} items={items} />;
}

function Action({ record: { changes } }: Pick<BulkSummaryProps, 'record'>): ReactNode {
  const [only = '', ...others] = kindsOf(changes).toReversed();
  if (others.length > 0) return [only, ...others].join(', ');
  const after = changes.slice(-1).flatMap((change) => differences(change, localTimeText));
  return [only, ...after.map((one) => `${one.name}: ${one.after ?? 'none'}`)].join(' · ');
}

function Applications({ record: { changes }, names }: BulkSummaryProps) {
  const appIds = [...new Set(changes.flatMap(({ appId = [] }) => appId))];
  if (appIds.length === 0) return 'All applications';
  return appIds.map((appId, index) => (
    <span key={appId}>
      {index > 0 && ', '}
      <RouteLink to={applicationPath(appId)}>{names.appName(appId)}</RouteLink>
    </span>
  ));
}

function Period({ from, to }: { readonly from: string; readonly to: string }) {
  return (
    <>
      <LocalTime at={from} withSeconds />
      {from.slice(0, 19) !== to.slice(0, 19) && (
        <>
          {' – '}
          <LocalTime at={to} withSeconds />
        </>
      )}
    </>
  );
}

/** The state, and the operators and the time of the newest undo. */
function Undone({ record, names }: BulkSummaryProps) {
  const [last] = record.undos;
  return (
    <>
      {describeUndone(record)}
      {last !== undefined && (
        <>
          {', last by '}
          <BreakableId id={describeCaller(last.caller, names.appName)} />, <LocalTime at={last.at} withSeconds />
        </>
      )}
    </>
  );
}
