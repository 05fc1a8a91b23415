import { User } from 'oidc-client-ts';

/** The dashboard's other tabs in this browser. */
export interface OtherTabs {
  /** The operator who is logged in there; undefined when no tab answers. */
  ask(): Promise<User | undefined>;
  /** Hands over new tokens; undefined says that the operator has logged out. */
  tell(user: User | undefined): void;
}

export interface OtherTabsOptions {
  /** Names the login: tabs with other settings are not heard. */
  readonly login: string;
  /** Who is logged in here. */
  readonly current: () => User | undefined;
  /** Called with what another tab tells. */
  readonly onTold: (user: User | undefined) => void;
}

type Message = { readonly kind: 'ask' } | { readonly kind: 'tell'; readonly user?: string };

/** A tab that is asleep answers later, and is then heard all the same. */
const answerMilliseconds = 400;

/**
 * Connects the tabs, so that a new one need not log in and a renewed token reaches all. Only pages of the same origin receive
 * the messages, and no browser stores them.
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
