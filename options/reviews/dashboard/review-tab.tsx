import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ReactNode, useRef, useState } from 'react';
import { queryKeys } from '#dashboard/api/queries.ts';
import { counterOf, useList } from '#dashboard/api/use-list.ts';
import type { LoadPage } from '#dashboard/api/use-pages.ts';
import { ExportButton } from '#dashboard/application/export-button.tsx';
import { ReviewDue } from '#dashboard/application/review-status.tsx';
import { ActionButton } from '#dashboard/forms/action-button.tsx';
import { LocalTime } from '#dashboard/lists/local-time.tsx';
import { PagedTable } from '#dashboard/lists/paged-table.tsx';
import { pageParameter } from '#dashboard/lists/use-filter.ts';
import { useApi } from '#dashboard/session/dashboard-context.ts';
import type { ApplicationView } from '#shared/contract/application.ts';
import { countOf, describeOthers } from '#shared/contract/wording.ts';
import type { AccessReview, ReviewedUser } from '../contract/access-review.ts';
import { ChangedBy, reviewColumns } from './review-columns.tsx';
import { ExpectDialog, MarkDialog } from './review-dialogs.tsx';

/** Who holds what in an application: export it, and mark it as reviewed. */
export default function ReviewTab({ application }: { readonly application: ApplicationView }) {
  const { appId, rolloutPercent } = application;
  const [doing, setDoing] = useState<'mark' | 'expect'>();
  const [shown, noteShown] = useState<AccessReview>();
  const [exportedAt, noteExported] = useState<string>();
  const exporting = useRef('');
  const loadNoting = useLoad(appId);
  // What was seen on other pages may be as old as the first that was read.
  const load = loadNoting((page) => noteShown((before) => ({ ...page, asOf: before?.asOf ?? page.asOf })));
  const pages = useList({ parameter: pageParameter, queryKey: [...queryKeys.application(appId), 'review'], load });
  const close = () => setDoing(undefined);
  const asOf = exportedAt ?? shown?.asOf;
  return (
    <SpaceBetween size="m">
      <ReviewState application={application} lastReview={shown?.lastReview} onExpect={() => setDoing('expect')} />
      <PagedTable
        pages={pages}
        columns={reviewColumns(application)}
        noun="users"
        trackBy={({ userId }) => userId}
        header={
          <Header
            variant="h2"
            counter={counterOf(pages)}
            description={`Users with a setting or a role. All others: ${describeOthers(rolloutPercent)}.`}
            actions={
              <SpaceBetween direction="horizontal" size="xs">
                <ExportButton
                  name={`access-to-${appId}`}
                  load={loadNoting((first) => {
                    exporting.current = first.asOf;
                  })}
                  createFile={async (users) => {
                    const { createReviewFile } = await import('../review-table.ts');
                    const { begin, add, end } = createReviewFile(application, exporting.current);
                    return begin + add(users) + end;
                  }}
                  onSaved={() => noteExported(exporting.current)}
                />
                <ActionButton
                  operation="review-application"
                  appId={appId}
                  variant="primary"
                  disabled={asOf === undefined}
                  disabledReason="The list is not loaded yet."
                  onClick={() => setDoing('mark')}
                >
                  Mark as reviewed
                </ActionButton>
              </SpaceBetween>
            }
          >
            Who has access
          </Header>
        }
      />
      {doing === 'mark' && asOf !== undefined && (
        <MarkDialog
          application={application}
          list={{ asOf, isExported: exportedAt !== undefined }}
          onMarked={() => {
            close();
            noteShown(undefined);
            noteExported(undefined);
            pages.reload();
          }}
          onClose={close}
        />
      )}
      {doing === 'expect' && <ExpectDialog application={application} onClose={close} />}
    </SpaceBetween>
  );
}

/** Loads pages of the list, and passes on each first one, which says when the list was read. */
function useLoad(appId: string) {
  const api = useApi();
  return (note: (first: AccessReview) => void): LoadPage<ReviewedUser> =>
    async (cursor, signal, limit) => {
      const page = await api('list-access-review', { path: { appId }, query: { limit, cursor }, signal });
      if (cursor === undefined) note(page);
      return page;
    };
}

interface ReviewStateProps {
  readonly application: ApplicationView;
  /** Undefined until it is known. */
  readonly lastReview: AccessReview['lastReview'] | undefined;
  readonly onExpect: () => void;
}

/** The last review, and when the next one is due. */
function ReviewState({ application, lastReview, onExpect }: ReviewStateProps) {
  const { appId, reviewedAt, reviewEveryDays } = application;
  return (
    <Container
      header={
        <Header
          variant="h2"
          actions={
            <ActionButton operation="update-application" appId={appId} onClick={onExpect}>
              Expect reviews
            </ActionButton>
          }
        >
          Reviews
        </Header>
      }
    >
      <SpaceBetween direction="horizontal" size="xxl">
        <Fact label="Last review">
          {lastReview ? (
            <ChangedBy setting={lastReview} />
          ) : reviewedAt === null ? (
            'Never'
          ) : (
            <LocalTime at={reviewedAt} />
          )}
        </Fact>
        {lastReview && (
          <Fact label="Reviewed list">
            <ReviewedList {...lastReview} />
          </Fact>
        )}
        <Fact
          label={reviewEveryDays === null ? 'Next review' : `Next review, every ${countOf(reviewEveryDays, 'day')}`}
        >
          <ReviewDue application={application} />
        </Fact>
      </SpaceBetween>
    </Container>
  );
}

/** A value below its label, without a component that every first visit would load. */
function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <Box variant="awsui-key-label">{label}</Box>
      <div>{children}</div>
    </div>
  );
}

function ReviewedList({ asOf, laterChanges }: NonNullable<AccessReview['lastReview']>) {
  return (
    <>
      As of <LocalTime at={asOf} withSeconds />
      {laterChanges > 0 && `. ${countOf(laterChanges, 'change')} came after it.`}
    </>
  );
}
