import { signIn } from '../../auth.ts';

export async function POST() {
  return Response.redirect(await signIn('login', { redirectTo: '/', redirect: false }), 303);
}
