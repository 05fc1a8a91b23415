import type { ReactNode } from 'react';

export default function Layout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <title>Wiki</title>
      </head>
      <body>
        <h1>Wiki</h1>
        {children}
      </body>
    </html>
  );
}
