import { signOut } from '../../auth.ts';

export async function POST() {
  const { redirect } = await signOut({ redirectTo: '/logged-out', redirect: false });
  return Response.redirect(redirect, 303);
}
