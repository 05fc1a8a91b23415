import { type NextRequest, NextResponse } from 'next/server';
import NextAuth from 'next-auth';
import { authConfig } from './auth-config.ts';

/** Where the session is needed. */
export const config = { matcher: '/' };

const { auth } = NextAuth(authConfig);

const refresh = auth(({ auth: session, nextUrl }) => {
  const isRefused = session?.error === 'no access' || nextUrl.searchParams.has('error');
  if (isRefused) return NextResponse.redirect(new URL('/no-access', nextUrl));
  if (session?.error === 'unavailable') return NextResponse.redirect(new URL('/unavailable', nextUrl));
});

/** Refreshes the session: here its cookie can be set, which a page cannot. The page of this request gets the new one too. */
export async function proxy(request: NextRequest) {
  const refreshed = await refresh(request, { params: Promise.resolve({}) });
  const answer = new NextResponse(null, refreshed instanceof Response ? refreshed : undefined);
  if (!answer.headers.has('x-middleware-next')) return answer;
  for (const { name, value } of answer.cookies.getAll()) request.cookies.set(name, value);
  for (const [name, value] of NextResponse.next({ request }).headers) answer.headers.set(name, value);
  return answer;
}
