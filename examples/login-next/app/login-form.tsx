/** Says something, and offers the login. */
export function Login({ role, children }: { readonly role?: 'alert'; readonly children: string }) {
  return (
    <>
      <p role={role}>{children}</p>
      <form method="post" action="/login">
        <button type="submit">Log in</button>
      </form>
    </>
  );
}
