import { useState } from 'react';
import type { IssuedKeyView, KeyView } from '#shared/contract/api-key.ts';
import { IssueKeyDialog } from '../application/issue-key-dialog.tsx';
import { RevokeKeyDialog, RotateKeyDialog } from '../application/rotate-revoke-dialogs.tsx';
import { SecretDialog } from '../application/secret-dialog.tsx';
import type { KeyOwner } from './key-owner.ts';
import { LabelKeyDialog } from './label-key-dialog.tsx';

type Doing =
  | { readonly what: 'issue'; readonly owner: KeyOwner }
  | { readonly what: 'rotate' | 'revoke' | 'label'; readonly owner: KeyOwner; readonly key: KeyView<string> }
  | { readonly what: 'show'; readonly owner: KeyOwner; readonly key: IssuedKeyView<string> };

/** The dialogs for keys. A secret is kept only in the dialog that shows it. */
export function useKeyDialogs(reload: () => void) {
  const [doing, setDoing] = useState<Doing>();
  const close = () => setDoing(undefined);
  const closeChanged = () => {
    close();
    reload();
  };
  const show = (owner: KeyOwner, key: IssuedKeyView<string>) => {
    setDoing({ what: 'show', owner, key });
    reload();
  };
  return {
    issue: (owner: KeyOwner) => setDoing({ what: 'issue', owner }),
    act: (what: 'rotate' | 'revoke' | 'label', owner: KeyOwner, key: KeyView<string>) => setDoing({ what, owner, key }),
    dialog: doing && <Dialog doing={doing} close={close} closeChanged={closeChanged} show={show} />,
  };
}

interface DialogProps {
  readonly doing: Doing;
  readonly close: () => void;
  readonly closeChanged: () => void;
  readonly show: (owner: KeyOwner, key: IssuedKeyView<string>) => void;
}

function Dialog({ doing, close, closeChanged, show }: DialogProps) {
  const { owner } = doing;
  const issued = (key: IssuedKeyView<string>) => show(owner, key);
  if (doing.what === 'show') return <SecretDialog owner={owner} issued={doing.key} onClose={close} />;
  if (doing.what === 'issue') return <IssueKeyDialog owner={owner} onClose={close} onIssued={issued} />;
  const shared = { owner, apiKey: doing.key, onClose: close };
  if (doing.what === 'rotate') return <RotateKeyDialog {...shared} onRotated={issued} />;
  if (doing.what === 'revoke') return <RevokeKeyDialog {...shared} onRevoked={closeChanged} />;
  return <LabelKeyDialog {...shared} onLabelled={closeChanged} />;
}
