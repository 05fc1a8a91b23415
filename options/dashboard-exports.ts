/** The formats that options add to the exports of the history in the dashboard, by the ending of the file. */
export { archiveDownload as zip } from './evidence/archive-download.ts';
