import { element, plainAlert, plainButton, plainPage } from './plain-elements.ts';
import type { Fate, SentChange, SentChanges } from './sent-changes.ts';
import type { Session, SessionState } from './start-session.ts';

type Why = Extract<SessionState, { kind: 'out' }>['why'];

export interface LoginPageOptions {
  readonly session: Session;
  /** The changes that were being saved when the session ended. */
  readonly sent: SentChanges;
  readonly why: Why;
}

const titles: Readonly<Record<Why, readonly [tab: string, heading: string]>> = {
  new: ['Log in', 'Access administration'],
  failed: ['Log in', 'Access administration'],
  expired: ['Session ended', 'Your session has ended'],
};

/** Shows the page for everyone without a session; returns the function that ends it. */
export function showLogin(place: Element, { session, sent, why }: LoginPageOptions): () => void {
  const [tab, heading] = titles[why];
  const message = element('div', { class: 'plain-lines' });
  const failure = element('div', {});
  const logIn = async () => {
    button.disabled = true;
    button.textContent = 'Opening the login page…';
    failure.replaceChildren();
    await session.logIn().catch(() => {
      const advice = 'Check your connection and try again.';
      failure.replaceChildren(plainAlert('alert', "Can't reach the login page", advice));
      button.disabled = false;
      button.textContent = label;
      button.focus();
    });
  };
  const label = why === 'new' ? 'Log in' : 'Log in again';
  const button = plainButton(label, () => void logIn());
  const tell = () => message.replaceChildren(...(why === 'expired' ? endedLines(sent.list()) : [messages[why]]));
  tell();
  place.replaceChildren(plainPage(tab, element('h1', {}, heading), message, failure, button));
  return sent.subscribe(tell);
}

const messages: Readonly<Record<Exclude<Why, 'expired'>, string>> = {
  new: 'Log in to manage users, applications, API keys and roles.',
  failed: 'The login failed. Try again.',
};

const groups: readonly { readonly fate: Fate; readonly header: string; readonly advice?: string }[] = [
  { fate: 'refused', header: 'Not saved', advice: 'Make the change again after you have logged in.' },
  {
    fate: 'unsent',
    header: 'Not sent',
    advice: 'Start it again after you have logged in: what is done stays as it is.',
  },
  { fate: 'unknown', header: 'No answer', advice: 'It may be saved or not. Check after you have logged in.' },
  { fate: 'sending', header: 'Waiting for the answer' },
  { fate: 'saved', header: 'Saved' },
];

/** What an ended session leaves: what was saved and what was not, of the changes that were being saved when it ended. */
function endedLines(changes: readonly SentChange[]): Node[] {
  const alerts = groups.flatMap(({ fate, header, advice = [] }) => {
    const those = changes.filter((change) => change.fate === fate).map(({ words }) => words);
    const role = fate === 'saved' || fate === 'sending' ? 'status' : 'alert';
    return those.length === 0 ? [] : [plainAlert(role, header, ...[those, advice].flat())];
  });
  const none = changes.length === 0 ? 'No change was being saved when it ended. ' : '';
  const hint = 'Log in again to return to this page. What you typed into a form comes back when you open it again.';
  return [...alerts, element('p', {}, none + hint)];
}
