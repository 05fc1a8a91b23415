/** What ids look like, apart from the schemas, so that the client can do without those. */

/** `.` and `..` are left out because URL parsers swallow them. */
export const userIdPattern = /^(?!\.{1,2}$)[A-Za-z0-9._~\-@:|+=]{1,128}$/;

export const roleNamePattern = /^[A-Za-z][A-Za-z0-9._:-]{0,63}$/;

/** `svk_<root version>_<appId>_<ULID>`: root version and application are its groups. */
export const keyIdPattern = /^svk_(k[1-9]\d{0,3})_([a-z][a-z0-9-]{1,39})_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** `svs_` and 32 bytes in base64url. */
export const secretPattern = /^svs_[\w-]{43}$/;
