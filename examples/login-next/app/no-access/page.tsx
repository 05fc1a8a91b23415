import { Login } from '../login-form.tsx';

export default function NoAccess() {
  return <Login role="alert">You no longer have access.</Login>;
}
