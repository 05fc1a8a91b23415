import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';

/** A message that stays visible across pages. */
export interface Notice {
  /** A later notice with the same id replaces it. */
  readonly id: string;
  readonly type: 'success' | 'error' | 'info' | 'warning';
  readonly content: ReactNode;
  readonly action?: ReactNode;
  /** How long the notice stays. Default: until it is dismissed. */
  readonly seconds?: number;
}

export interface Notices {
  show(notice: Notice): void;
  hide(id: string): void;
}

const NoticesContext = createContext<Notices | undefined>(undefined);
const ShownContext = createContext<readonly Notice[]>([]);

/** The notices to show, the latest first. */
export function useShownNotices(): readonly Notice[] {
  return useContext(ShownContext);
}

export function useNotices(): Notices {
  const notices = useContext(NoticesContext);
  if (notices === undefined) throw new Error('useNotices needs a NoticesProvider around it');
  return notices;
}

/** More would cover the page; the oldest is dropped. */
const maxNotices = 3;

/** Keeps the notices across pages. */
export function NoticesProvider({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<readonly Notice[]>([]);
  const hide = useCallback((id: string) => setShown((notices) => notices.filter((notice) => notice.id !== id)), []);
  const show = useCallback(
    (notice: Notice) =>
      setShown((notices) => [notice, ...notices.filter(({ id }) => id !== notice.id)].slice(0, maxNotices)),
    [],
  );
  const notices = useMemo(() => ({ show, hide }), [show, hide]);
  return (
    <NoticesContext value={notices}>
      <ShownContext value={shown}>
        {shown.map((notice) => (
          <Expiry key={notice.id} notice={notice} />
        ))}
        {children}
      </ShownContext>
    </NoticesContext>
  );
}

function Expiry({ notice }: { readonly notice: Notice }) {
  const { hide } = useNotices();
  useEffect(() => {
    if (notice.seconds === undefined) return;
    const timer = setTimeout(() => hide(notice.id), notice.seconds * 1000);
    return () => clearTimeout(timer);
  }, [notice, hide]);
  return null;
}
