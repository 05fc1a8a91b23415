/** User ids that URLs, signatures and patterns may mishandle. */
export const awkwardUserIds = ['auth0|123', 'a+b@c.de', 'urn:x:1', 'x=y~z', "o'brien@example.org", "!$&'()*+,;="];
