import { beforeEach, expect, test } from '@jest/globals';
import { dropDrafts, saveDraft, takeDraft } from '../../dashboard/session/drafts.ts';

/** The session storage of a tab, whose keys are its own properties. */
beforeEach(() => {
  const storage = {} as Record<string, string>;
  const methods = {
    getItem: (key: string) => storage[key] ?? null,
    setItem: (key: string, value: string) => {
      storage[key] = value;
    },
    removeItem: (key: string) => {
      delete storage[key];
    },
  };
  for (const [name, value] of Object.entries(methods)) Object.defineProperty(storage, name, { value });
  Object.assign(globalThis, { sessionStorage: storage });
});

test('what an operator typed into a form comes back once, for this form', () => {
  saveDraft('edith', '/users/ada Block', { Reason: 'left' });
  expect(takeDraft('edith', '/users/ada Allow')).toBeUndefined();
  expect(takeDraft('edith', '/users/ada Block')).toEqual({ Reason: 'left' });
  expect(takeDraft('edith', '/users/ada Block')).toBeUndefined();
});

test('another operator never gets it, and it is removed', () => {
  saveDraft('edith', '/users/ada Block', { Reason: 'left' });
  expect(takeDraft('katherine', '/users/ada Block')).toBeUndefined();
  expect(takeDraft('edith', '/users/ada Block')).toBeUndefined();
});

test('logging out removes what was typed into all forms, and nothing else', () => {
  sessionStorage.setItem('oidc.user', 'tokens');
  saveDraft('edith', 'one', { Reason: 'left' });
  saveDraft('edith', 'two', { Reason: 'lost' });
  dropDrafts();
  expect(Object.keys(sessionStorage)).toEqual(['oidc.user']);
});
