/** The statuses of a user in an application. */
export const accessStatuses = ['enabled', 'disabled'] as const;

/** The global statuses of a user. */
export const userStatuses = ['active', 'inactive'] as const;

/** What can decide the effective status. */
export const decisions = ['user', 'explicit', 'lapsed', 'rollout', 'default'] as const;
