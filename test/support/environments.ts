/** What a process needs that is to have nothing else of this one's environment; files that it loads are compiled once. */
export const bareEnvironment: NodeJS.ProcessEnv = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
};

/** Of a stack's functions: a deletion waits for writes that were under way; the simulation has the whole of it. */
export const withoutSettling = { SETTLE_SECONDS: '0' };
