/** The formats that options add to `history --export`, by the ending of the file. */
export { archiveExport as zip } from './evidence/commands/export-archive.ts';
