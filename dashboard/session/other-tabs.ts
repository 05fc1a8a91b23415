import { User } from 'oidc-client-ts';

/** The dashboard's other tabs in this browser. */
export interface OtherTabs {
  /** The operator who is logged in there; undefined if no tab responds. */
  ask(): Promise<User | undefined>;
  /** Hands over new tokens; undefined says that the operator has logged out. */
  tell(user: User | undefined): void;
}

export interface OtherTabsOptions {
  /** Identifies the login: tabs with other settings are ignored. */
  readonly login: string;
  /** Who is logged in here. */
  readonly current: () => User | undefined;
  /** Called with the message of another tab. */
  readonly onTold: (user: User | undefined) => void;
}

type Message = { readonly kind: 'ask' } | { readonly kind: 'tell'; readonly user?: string };

/** A suspended tab responds later; its message still counts then. */
const answerMilliseconds = 400;

/**
 * Connects the tabs, so that a new one is logged in and a renewed token reaches all. Only pages of the same origin receive the
 * messages, and browsers do not store them.
 */
export function connectTabs({ login, current, onTold }: OtherTabsOptions): OtherTabs {
  const channel = new BroadcastChannel(`session of ${login}`);
  const post = (message: Message) => channel.postMessage(message);
  const tell = (user: User | undefined) => post({ kind: 'tell', ...(user && { user: user.toStorageString() }) });
  let answered: ((user: User) => void) | undefined;
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    const here = current();
    if (data.kind === 'ask') {
      if (here !== undefined) tell(here);
      return;
    }
    const user = data.user === undefined ? undefined : User.fromStorageString(data.user);
    if (user !== undefined && answered !== undefined) answered(user);
    else onTold(user);
  };
  return {
    tell,
    ask: () =>
      new Promise((resolve) => {
        const end = (user?: User) => {
          answered = undefined;
          resolve(user);
        };
        answered = end;
        setTimeout(end, answerMilliseconds);
        post({ kind: 'ask' });
      }),
  };
}
