/** Replaces the files of the process by files in memory, which take no time; returns how to undo it. */
export function filesInMemory(): () => void {
  const files = new Map<string, Uint8Array>();
  const missing = (path: string) => Object.assign(new Error(`There is no ${path}`), { code: 'ENOENT' });
  const replacement = {
    async readFile(path: string) {
      const bytes = files.get(path);
      if (bytes === undefined) throw missing(path);
      return bytes;
    },
    async open(path: string) {
      const parts: Uint8Array[] = [];
      return {
        async writeFile(bytes: Uint8Array) {
          parts.push(bytes);
        },
        async sync() {
          files.set(path, Buffer.concat(parts));
        },
        async close() {},
      };
    },
    async rename(from: string, to: string) {
      const bytes = files.get(from);
      if (bytes === undefined) throw missing(from);
      files.delete(from);
      files.set(to, bytes);
    },
    async rm(path: string) {
      files.delete(path);
    },
  };
  const real = process.getBuiltinModule;
  const replaced = (name: string) => (name === 'node:fs/promises' ? replacement : real(name));
  Object.assign(process, { getBuiltinModule: replaced });
  return () => {
    Object.assign(process, { getBuiltinModule: real });
  };
}
