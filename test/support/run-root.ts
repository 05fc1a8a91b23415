const [, found = ''] = /^k1=local:([^,]+)/.exec(process.env.ROOT_KEYS ?? '') ?? [];

/** The root of this run, as its key services answer for every key: 32 bytes in base64. */
export const runRoot: string = found;
