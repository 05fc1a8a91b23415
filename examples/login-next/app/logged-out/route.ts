const { ISSUER = '', CLIENT_ID = '', AUTH_URL = '' } = process.env;

/** Ends the session of the login too. */
export async function GET() {
  const { authorization_endpoint } = await (await fetch(`${ISSUER}/.well-known/openid-configuration`)).json();
  // Cognito's own way to log out, which the login of `npm start` understands too.
  const page = new URL('/logout', authorization_endpoint);
  page.search = String(new URLSearchParams({ client_id: CLIENT_ID, logout_uri: `${AUTH_URL}/` }));
  return Response.redirect(page);
}
