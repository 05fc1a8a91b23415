/** Bodies over this many bytes are refused. */
export const maxBodyBytes = 16 * 1024;

/** The furthest end of a block or a grant. */
export const maxYearsAhead = 5;

/** Live grants of one user in one application; keeps the item far below DynamoDB's 400 KB. */
export const maxRolesPerAccess = 500;

/** API keys of one application that are neither revoked nor expired. */
export const maxKeysPerApplication = 10;

/** How long a rotated key can go on beside the new one. */
export const maxKeyOverlapDays = 30;

/** Users of one bulk request. */
export const maxUsersPerBulk = 100;

/** Items of a page, unless `?limit=` says otherwise, and the most it may say. */
export const defaultPageSize = 25;
export const maxPageSize = 100;

/**
 * How old a change is before an application reads it from a cursor on: longer than from a change's moment to its commit,
 * which is at most the time-outs of one transaction, and until the index shows it. What is older stays as it is.
 */
export const changeSettlingSeconds = 15;

/** Characters of a reason. */
export const maxReasonLength = 256;
