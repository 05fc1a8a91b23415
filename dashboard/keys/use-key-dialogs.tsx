import { useState } from 'react';
import type { IssuedKeyView, KeyView } from '#shared/contract/api-key.ts';
import { IssueKeyDialog } from '../application/issue-key-dialog.tsx';
import { RevokeKeyDialog, RotateKeyDialog } from '../application/rotate-revoke-dialogs.tsx';
import { SecretDialog } from '../application/secret-dialog.tsx';
import { LabelKeyDialog } from './label-key-dialog.tsx';

type Doing =
  | { readonly what: 'issue'; readonly appId: string }
  | { readonly what: 'rotate' | 'revoke' | 'label'; readonly appId: string; readonly key: KeyView }
  | { readonly what: 'show'; readonly key: IssuedKeyView };

/** The dialogs for keys. A secret is kept only in the dialog that shows it. */
export function useKeyDialogs(reload: () => void) {
  const [doing, setDoing] = useState<Doing>();
  const close = () => setDoing(undefined);
  const closeChanged = () => {
    close();
    reload();
  };
  const show = (key: IssuedKeyView) => {
    setDoing({ what: 'show', key });
    reload();
  };
  return {
    issue: (appId: string) => setDoing({ what: 'issue', appId }),
    act: (what: 'rotate' | 'revoke' | 'label', appId: string, key: KeyView) => setDoing({ what, appId, key }),
    dialog: doing && <Dialog doing={doing} close={close} closeChanged={closeChanged} show={show} />,
  };
}

interface DialogProps {
  readonly doing: Doing;
  readonly close: () => void;
  readonly closeChanged: () => void;
  readonly show: (key: IssuedKeyView) => void;
}

function Dialog({ doing, close, closeChanged, show }: DialogProps) {
  if (doing.what === 'show') return <SecretDialog issued={doing.key} onClose={close} />;
  if (doing.what === 'issue') return <IssueKeyDialog appId={doing.appId} onClose={close} onIssued={show} />;
  const shared = { appId: doing.appId, apiKey: doing.key, onClose: close };
  if (doing.what === 'rotate') return <RotateKeyDialog {...shared} onRotated={show} />;
  if (doing.what === 'revoke') return <RevokeKeyDialog {...shared} onRevoked={closeChanged} />;
  return <LabelKeyDialog {...shared} onLabelled={closeChanged} />;
}
