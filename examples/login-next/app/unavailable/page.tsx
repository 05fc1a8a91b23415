import { Login } from '../login-form.tsx';

export default function Unavailable() {
  return <Login role="alert">The login does not work at the moment. Try again.</Login>;
}
