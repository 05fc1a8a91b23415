import { escapeHtml, type PageLook, page } from '#local/login-pages.ts';
import type { PoolUser } from './stand-in-pool.ts';

/** More people than this are found by a search. */
const maxPeople = 20;

const notice =
  '<p class="notice">This login is for development. It works only on this machine and needs no password.</p>';

/** A page of the login to an application. */
interface ApplicationPage {
  readonly application: string;
  readonly look: PageLook;
}

/** The people of the application, and what was searched for. */
export interface PeoplePage extends ApplicationPage {
  readonly people: readonly PoolUser[];
  readonly search: string;
}

/** Asks who logs in, without a password; posts `person`, the name of a user, to its own address. */
export function peoplePage({ application, look, people, search }: PeoplePage): string {
  const found = people.filter((person) => matches(person, search));
  const shown = found.slice(0, maxPeople);
  const note = found.length > shown.length ? `<p>${shown.length} of ${found.length} people.</p>` : '';
  return page(
    'Choose a person',
    `${notice}
<h2>Log in to ${escapeHtml(application)}</h2>
${people.length > maxPeople ? searchForm(search) : ''}
<form method="post">
${shown.map(personButton).join('\n')}
${shown.length === 0 ? emptyNote(people) : note}
</form>`,
    look,
  );
}

function matches({ Username, attributes: { name = '', email = '' } }: PoolUser, search: string): boolean {
  return [Username, name, email].some((text) => text.toLowerCase().includes(search.toLowerCase()));
}

function searchForm(search: string): string {
  return `<form method="get" role="search">
<label for="search">Name, e-mail or user ID</label>
<input id="search" name="search" type="search" value="${escapeHtml(search)}" autocomplete="off">
<button>Search</button>
</form>`;
}

function emptyNote(people: readonly PoolUser[]): string {
  if (people.length > 0) return '<p>Nobody matches the search.</p>';
  return '<p>Nobody has an account yet. Invite users with <code>POST /api/manage/users/{userId}/invitation</code>.</p>';
}

function personButton({ Username, Enabled, attributes: { name = Username, email } }: PoolUser): string {
  const about = [Username, email, ...(Enabled ? [] : ['disabled'])].filter((text) => text !== undefined).join(' · ');
  const id = escapeHtml(Username);
  return `<button name="person" value="${id}" aria-describedby="about-${id}">${escapeHtml(name)}</button>
<p id="about-${id}">${escapeHtml(about)}</p>`;
}

/** Tells somebody that they may not enter, and offers to log in as somebody else. */
export function noAccessPage({ application, look, person }: ApplicationPage & { readonly person: PoolUser }): string {
  const name = escapeHtml(person.attributes.name ?? person.Username);
  const reason = person.Enabled
    ? `${name} has no access to <strong>${escapeHtml(application)}</strong>.`
    : `The account of ${name} is disabled.`;
  return page(
    'No access',
    `<p role="alert">${reason}</p>
<p><a href="?choose">Choose another person</a></p>
${notice}`,
    look,
  );
}
