import Header from '@cloudscape-design/components/header';
import type { KeyView } from '#shared/contract/api-key.ts';
import { counterOf, type ListOptions, useList } from '../api/use-list.ts';
import { keyColumns } from '../application/api-key-columns.tsx';
import { ActionButton } from '../forms/action-button.tsx';
import { PagedTable } from '../lists/paged-table.tsx';
import { pageParameter } from '../lists/use-filter.ts';
import type { KeyOwner } from './key-owner.ts';
import { useKeyDialogs } from './use-key-dialogs.tsx';

export interface KeyListProps<Key> extends Pick<ListOptions<Key>, 'queryKey' | 'load'> {
  readonly owner: KeyOwner;
  readonly title: string;
  readonly description: string;
  /** What the list contains, in the plural. */
  readonly noun: string;
  readonly issueVerb: string;
}

/** The keys of an owner: issue, label, rotate, revoke. */
export function KeyList<Key extends KeyView<string>>(props: KeyListProps<Key>) {
  const { owner, title, description, noun, issueVerb, queryKey, load } = props;
  const pages = useList<Key>({ isShort: true, parameter: pageParameter, queryKey, load });
  const { issue, act, dialog } = useKeyDialogs(pages.reload);
  const { appId, operations } = owner;
  const columns = keyColumns<Key>({
    ownerOf: () => owner,
    onLabel: (key) => act('label', owner, key),
    onRotate: (key) => act('rotate', owner, key),
    onRevoke: (key) => act('revoke', owner, key),
    onEnd: pages.reload,
  });
  const issueButton = (
    <ActionButton operation={operations.issue} {...(appId !== undefined && { appId })} onClick={() => issue(owner)}>
      {issueVerb}
    </ActionButton>
  );
  return (
    <>
      <PagedTable
        pages={pages}
        columns={columns}
        noun={noun}
        trackBy={({ keyId }) => keyId}
        emptyAction={issueButton}
        header={
          <Header variant="h2" counter={counterOf(pages)} description={description} actions={issueButton}>
            {title}
          </Header>
        }
      />
      {dialog}
    </>
  );
}
