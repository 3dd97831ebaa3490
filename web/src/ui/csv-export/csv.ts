/*
 * Rows as CSV (RFC 4180), for spreadsheets and programs.
 */

/** Value of a cell. Numbers are written as programs read them. */
export type Cell = string | number | boolean | null | undefined;

/** Source of a file's rows. */
export interface CsvSource<Row> {
  readonly header: readonly string[];
  cellsOf(this: void, row: Row): readonly Cell[];
  /** A page of the rows, from 0, and the number of rows of all pages; null while it is not known. */
  readPage(this: void, page: number, signal: AbortSignal): Promise<CsvPage<Row>>;
}

interface CsvPage<Row> {
  readonly rows: readonly Row[];
  readonly total: number | null;
}

/** Spreadsheets take other letters for those of the user's region, unless a file begins with this mark. */
const UTF_8 = '\uFEFF';

/** A spreadsheet takes a text that begins like this for a formula, and computes it. */
const FORMULA = /^[=+\-@\t\r\n]/;
const QUOTED = /[",\r\n]|^\s|\s$/;

/** A text that no spreadsheet computes: an apostrophe before it says that it is a text. */
const harmless = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

function field(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null || cell === undefined ? '' : String(cell);
  const text = harmless(cell);
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One line of a file. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(field).join(',')}\r\n`;

/**
 * Reads all pages, one after the other, and writes the file. Each page leaves the memory of the tab as a part of the file, which browsers
 * keep on disk when it grows. `onProgress` hears of every page.
 */
export async function writeCsv<Row>(
  { header, cellsOf, readPage }: CsvSource<Row>,
  signal: AbortSignal,
  onProgress: (done: number, total: number | null) => void,
): Promise<Blob> {
  const parts: Blob[] = [new Blob([UTF_8, csvLine(header)])];
  let done = 0;
  for (let page = 0; ; page += 1) {
    // Each page is read when the one before is written: memory stays flat, and the service has one search at a time.
    const { rows, total } = await readPage(page, signal);
    signal.throwIfAborted();
    if (rows.length > 0) parts.push(new Blob([rows.map((row) => csvLine(cellsOf(row))).join('')]));
    done += rows.length;
    onProgress(done, total === null ? null : Math.max(done, total));
    // An empty page is the end as well: rows were deleted during the export.
    if (rows.length === 0 || (total !== null && done >= total)) return new Blob(parts, { type: 'text/csv;charset=utf-8' });
  }
}
