import type { Page } from '#shared/contract/answers.ts';
import type { UserView } from '#shared/contract/user.ts';
import { userStatusLabels } from '#shared/contract/wording.ts';
import type { EarlyReads } from '../api/early-reads.ts';
import { element } from '../session/plain-elements.ts';
import { userPath } from '../shell/page-paths.ts';
import { byName, typingPauseMilliseconds, usersSearch } from './users-search.ts';

const usersPath = '/users';

/** The users page before its scripts have arrived. */
export interface FirstUsers {
  /** Ends it, before the dashboard takes its place; returns whether the search has the focus. */
  close(): boolean;
}

/**
 * Shows the list of users and its search without a framework, while the scripts of the dashboard load, which takes six seconds at
 * 400 kbit/s. What is typed is kept in the URL, and what was read answers the dashboard's first request. Undefined at the URL of
 * another page, and with a filter or a page of the list, which only the dashboard knows.
 */
export function showFirstUsers(place: Element, reads: EarlyReads): FirstUsers | undefined {
  const parameters = new URLSearchParams(location.search);
  if (location.pathname !== usersPath || [...parameters.keys()].some((name) => name !== 'q')) return undefined;
  const search = element('input', { type: 'search', 'aria-label': usersSearch.label, class: 'first-search' });
  search.placeholder = usersSearch.placeholder;
  search.value = parameters.get('q') ?? '';
  const status = element('p', { role: 'status' }, 'Loading…');
  const list = element('table', { 'aria-label': 'users' });
  const box = element('div', { class: 'first-box' }, element('h1', {}, 'Users'), search, status, list);
  const main = element('main', { class: 'page first-page' }, box);

  let reading = new AbortController();
  const load = async () => {
    reading.abort();
    reading = new AbortController();
    const { signal } = reading;
    const response = await reads.read(`/api/manage/users${location.search}`, signal);
    const { items, cursor }: Page<UserView> = await response.json();
    // Of an error, the dashboard says what helps; a page that a filter leaves empty is not the last.
    if (signal.aborted || !response.ok || (items.length === 0 && cursor !== null)) return;
    // As the dashboard does: the best match first, and a list that is whole by name.
    const isByName = cursor === null && search.value.trim() === '';
    const users = isByName ? items.toSorted(byName.sortingComparator) : items;
    list.replaceChildren(heading(), element('tbody', {}, ...users.map(rowOf)));
    list.hidden = items.length === 0;
    status.textContent = items.length > 0 ? '' : search.value.trim() === '' ? 'No users yet.' : 'No users match.';
    box.classList.add('filled');
  };
  const read = () => void load().catch(() => undefined);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const close = () => {
    clearTimeout(timer);
    removeEventListener('popstate', leave);
    return document.activeElement === search;
  };
  /** Another page: its scripts show it. */
  const leave = () => {
    close();
    reading.abort();
    reads.forget();
    main.classList.add('other');
    box.replaceChildren(element('p', { role: 'status' }, 'Loading…'));
  };
  search.oninput = () => {
    const q = search.value.trim();
    history.replaceState(history.state, '', q === '' ? usersPath : `${usersPath}?${new URLSearchParams({ q })}`);
    clearTimeout(timer);
    timer = setTimeout(read, typingPauseMilliseconds);
  };
  list.onclick = (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    history.pushState(null, '', link.href);
    leave();
  };
  addEventListener('popstate', leave);
  place.replaceChildren(element('header', { class: 'first-bar' }, 'Access administration'), main);
  read();
  return { close };
}

function heading(): HTMLElement {
  const names = ['User', 'Status', 'E-mail'].map((name) => element('th', { scope: 'col' }, name));
  return element('thead', {}, element('tr', {}, ...names));
}

function rowOf({ userId, displayName, email, status }: UserView): HTMLElement {
  const link = element('a', { href: userPath(userId) }, displayName ?? userId);
  return element(
    'tr',
    {},
    element('th', { scope: 'row' }, link, ...(displayName ? [element('small', {}, userId)] : [])),
    element('td', {}, userStatusLabels[status]),
    element('td', {}, email ?? '–'),
  );
}
