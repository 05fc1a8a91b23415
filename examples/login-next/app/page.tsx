import { auth } from '../auth.ts';
import { Login } from './login-form.tsx';

export default async function Page() {
  const login = (await auth())?.login;
  if (login === undefined) return <Login>You are not logged in.</Login>;
  return (
    <>
      <dl>
        <dt>User ID</dt>
        <dd>{login.user_id}</dd>
        <dt>Roles</dt>
        <dd>{login.roles.join(', ') || 'none'}</dd>
      </dl>
      <form method="post" action="/logout">
        <button type="submit">Log out</button>
      </form>
    </>
  );
}
