import type { ArchiveFormat } from '#shared/csv/change-archive.ts';

/** The archive in the menu of exports. What writes it is loaded once it is chosen. */
export const archiveDownload: ArchiveFormat = {
  text: 'Verified archive (ZIP)',
  type: 'application/zip',
  // Each request verifies about twenty.
  maxChanges: 20_000,
  write: async (request) => {
    const { verifyAndArchive } = await import('./verified-archive.ts');
    return verifyAndArchive(request);
  },
};
