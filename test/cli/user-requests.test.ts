import { describe } from '@jest/globals';
import { page, testRequests } from './sent-request.ts';
import { access, app, change, user } from './views.ts';

/** The answers by which a history names applications and users. */
const names = { 'GET /applications': page(app), 'POST /user-names': { items: [{ name: 'ada', users: [user] }] } };
const until = '2099-01-31T12:00:00.000Z';

describe('a command for users, their access or their roles sends its signed request and prints the outcome', () => {
  testRequests([
    [
      'users create ada --name Ada --email a@b.cd',
      'PUT /users/ada',
      { body: { displayName: 'Ada', email: 'a@b.cd' } },
      user,
      'Created the user ada.',
    ],
    [
      'users list --prefix a+ --status inactive',
      'GET /users',
      { query: 'prefix=a%2B&status=inactive' },
      page(user),
      'Ada Lovelace',
    ],
    [
      'users list --has-role',
      'GET /users',
      { query: 'hasRole=true' },
      page({ ...user, roles: [{ appId: 'crm', name: 'editor', expiresAt: null }] }),
      'editor in crm',
    ],
    ['users find ada', 'GET /users', { query: 'q=ada' }, page(user), 'Ada Lovelace'],
    [
      'users find ada love --status active --limit 5',
      'GET /users',
      { query: 'limit=5&q=ada%20love&status=active' },
      page(user),
      'Ada Lovelace',
    ],
    ['users show a|b', 'GET /users/a%7Cb', {}, user, 'status   Active'],
    ['users show ada', 'GET /users/ada', {}, { ...user, statusSetBy: null, directory: 'okta' }, 'directory  okta'],
    [
      'users update ada --name Ada --no-email',
      'PATCH /users/ada',
      { body: { displayName: 'Ada', email: null } },
      user,
      'Changed',
    ],
    [
      'users set-status ada inactive --reason left --ticket INC-1',
      'PUT /users/ada/status',
      { body: { status: 'inactive', reason: 'left', ticket: 'INC-1' } },
      user,
      'The user ada is now inactive.',
    ],
    [
      'access show ada',
      'GET /users/ada/access',
      {},
      page(access),
      'billing      Blocked  Setting     -      editor  card stolen',
    ],
    [
      'access show ada billing',
      'GET /users/ada/access',
      { query: 'limit=100' },
      page(access),
      'access       Blocked: by a setting in this application',
    ],
    [
      'access list billing --status disabled',
      'GET /applications/billing/users',
      { query: 'status=disabled' },
      page({ ...access, displayName: null, email: null, statusSetBy: null, userStatusSetBy: null }),
      'ada',
    ],
    [
      'access list billing --find ada',
      'GET /applications/billing/users',
      { query: 'q=ada' },
      page({ ...access, displayName: null, email: null, statusSetBy: null, userStatusSetBy: null }),
      'ada',
    ],
    [
      'access list billing --effective-status blocked --why user',
      'GET /applications/billing/users',
      { query: 'effectiveStatus=disabled&decidedBy=user' },
      page({
        ...access,
        userStatus: 'inactive',
        decidedBy: 'user',
        displayName: 'Ada King',
        email: null,
        statusSetBy: null,
        userStatusSetBy: {
          changeId: '01KB3ZC4N7Z3QF4V6E5T8S9R2W',
          at: '2026-11-20T19:14:11.123Z',
          reason: 'left',
          caller: { kind: 'operator', via: 'token', role: 'admin', id: 'sub-1', email: 'ops@example.com' },
        },
      }),
      'ops@example.com',
    ],
    [
      `access set ada billing disabled --reason r --ticket INC-1 --until ${until}`,
      'PUT /users/ada/access/billing',
      { body: { status: 'disabled', reason: 'r', ticket: 'INC-1', until } },
      access,
      'change       01KB3ZC4N7Z3QF4V6E5T8S9R2W',
    ],
    [
      'access set ada billing allowed',
      'PUT /users/ada/access/billing',
      { body: { status: 'enabled' } },
      { ...access, changed: false },
      'No change.',
    ],
    [
      `grants assign ada billing editor --expires ${until} --reason r --ticket INC-1`,
      'PUT /users/ada/roles/billing/editor',
      { body: { expiresAt: until, reason: 'r', ticket: 'INC-1' } },
      access,
      'Assigned editor to ada.',
    ],
    [
      'grants revoke ada billing editor --reason r --ticket INC-1',
      'DELETE /users/ada/roles/billing/editor',
      { body: { reason: 'r', ticket: 'INC-1' } },
      access,
      'Revoked editor from ada.',
    ],
  ]);
});

describe('a command for the history sends its signed request and prints the outcome', () => {
  testRequests([
    [
      'history --by edith --action access.changed,key.issued --app billing --user a|b --limit 3',
      'GET /changes',
      { query: 'limit=3&actor=edith&action=access.changed%2Ckey.issued&appId=billing&userId=a%7Cb', names },
      page(change('1')),
      'Access changed',
    ],
    [
      'history --since 2026-11-01T00:00:00Z --until 2026-11-02T00:00:00+01:00',
      'GET /changes',
      { query: 'since=2026-11-01T00%3A00%3A00.000Z&until=2026-11-01T23%3A00%3A00.000Z', names },
      page(change('1')),
      'Access changed',
    ],
    ['history user ada', 'GET /users/ada/changes', { names }, page(change('1')), 'Status: Allowed → Blocked'],
    [
      'history user ada',
      'GET /users/ada/changes',
      { names },
      page(change('01KB3ZC4N7Z3QF4V6E5T8S9R2W')),
      '01KB3ZC4N7Z3QF4V6E5T8S9R2W',
    ],
    [
      'history undo ada 01KB3ZC4N7Z3QF4V6E5T8S9R2W --reason r --ticket INC-1',
      'POST /users/ada/changes/01KB3ZC4N7Z3QF4V6E5T8S9R2W/undo',
      { body: { reason: 'r', ticket: 'INC-1' } },
      { userId: 'ada', appId: 'billing', changed: true, changeId: '01KB3ZD1T6H8J2K4M6N8P0Q2R4', version: 4 },
      'Undone by the change 01KB3ZD1T6H8J2K4M6N8P0Q2R4.',
    ],
    [
      'history app billing',
      'GET /applications/billing/changes',
      { names },
      page(change('1')),
      'Ada Lovelace (ada) in Billing (billing)',
    ],
  ]);
});
