import type { Response } from 'express';

import type { Pages } from '../../common/resources/pages.js';
import { csvLine } from './csv.js';
import { ExportFormat } from './export-format.js';
import { streamText } from './json-stream.js';

const MEDIA_TYPES: Readonly<Record<ExportFormat, string>> = {
  [ExportFormat.Jsonl]: 'application/x-ndjson; charset=utf-8',
  [ExportFormat.Csv]: 'text/csv; charset=utf-8; header=present',
};

/** The body of an answer with an export, for the API's description, which takes one media type; a table is `text/csv`. */
export const JSONL = { mediaType: 'application/x-ndjson', schema: { type: 'string', format: 'binary' } } as const;
/** Headers of such answers. */
export const EXPORT_HEADERS = { 'Content-Disposition': 'Name of the file, with the day.' };

/** A list that is exported, and its columns in a table: their names, and the value of an item. */
export interface Exported<T> {
  /** The name of the file, without date and ending. */
  readonly name: string;
  readonly items: Pages<T>;
  readonly columns: Readonly<Record<string, (item: T) => unknown>>;
}

/** Answers 200 with a list as a file of any length, page by page: as fast as the client reads, until the client disconnects. */
export function streamExport<T>(response: Response, format: ExportFormat, { name, items, columns }: Exported<T>): Promise<void> {
  return streamText(response, format === ExportFormat.Csv ? csvOf(items, columns) : linesOf(items), () => {
    const day = new Date().toISOString().slice(0, 10);
    response.status(200).setHeader('Content-Type', MEDIA_TYPES[format]);
    response.setHeader('Content-Disposition', `attachment; filename="${name}-${day}.${format.toLowerCase()}"`);
  });
}

async function* linesOf(pages: Pages<unknown>): AsyncGenerator<string> {
  for await (const items of pages) yield items.map((item) => `${JSON.stringify(item)}\n`).join('');
}

async function* csvOf<T>(pages: Pages<T>, columns: Exported<T>['columns']): AsyncGenerator<string> {
  const values = Object.values(columns);
  let header = csvLine(Object.keys(columns));
  for await (const items of pages) {
    yield header + items.map((item) => csvLine(values.map((value) => value(item)))).join('');
    header = '';
  }
}
