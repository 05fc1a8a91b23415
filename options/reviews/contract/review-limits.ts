/** The maximum age, in days, of the list that is marked as reviewed. */
export const maxListAgeDays = 30;

/** More changes after a list was read are not counted. */
export const maxLaterChanges = 10_000;
