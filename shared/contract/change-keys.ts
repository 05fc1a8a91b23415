/** Where everyone can read the public keys that verify changes, without a signature. */
export const changeKeysPath = '/api/service/change-keys';
export const changeKeysRoute = `GET ${changeKeysPath}`;
