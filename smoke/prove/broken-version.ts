/** The description of a version that fails on purpose, by which it is recognized. */
export const brokenDescription = 'auth-service: get-access, broken by npm run prove';
