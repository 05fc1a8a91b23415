/** What a repair can find to be wrong with the accounts of a directory. */
export const directoryNames = { findings: ['account', 'account-differs'] } as const;
