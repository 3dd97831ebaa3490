import { describe, expect, it } from 'vitest';

import { csvLine, type CsvSource, writeCsv } from './csv.js';

describe('a line of CSV', () => {
  it('quotes characters that would end a cell or the line, and doubles quotes', () => {
    expect(csvLine(['a', 'b,c', 'say "hi"', 'two\nlines', ' edge '])).toBe('a,"b,c","say ""hi""","two\nlines"," edge "\r\n');
  });

  it('keeps spreadsheets from computing a text', () => {
    expect(csvLine(['=1+1', '+1', '-1', '@sum', '\tx', 'a=b'])).toBe(`'=1+1,'+1,'-1,'@sum,'\tx,a=b\r\n`);
    expect(csvLine(['=HYPERLINK("http://x","y")'])).toBe(`"'=HYPERLINK(""http://x"",""y"")"\r\n`);
  });

  it('writes numbers, flags and empty values as they are', () => {
    expect(csvLine([0, -1.5, true, null, undefined, ''])).toBe('0,-1.5,true,,,\r\n');
  });
});

describe('a file of CSV', () => {
  const sourceOf = (pages: readonly (readonly string[])[], total = pages.flat().length): CsvSource<string> => ({
    header: ['Name'],
    cellsOf: (name) => [name],
    readPage: (page) => Promise.resolve({ rows: pages[page] ?? [], total }),
  });
  const { signal: never } = new AbortController();

  it('writes the header and all pages, and tells the progress', async () => {
    const progress: string[] = [];

    const file = await writeCsv(sourceOf([['a', 'b'], ['ç']]), never, (done, total) => progress.push(`${done}/${total}`));

    const bytes = await file.arrayBuffer();
    expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)).toBe('\uFEFFName\r\na\r\nb\r\nç\r\n');
    expect(progress).toEqual(['2/3', '3/3']);
  });

  it('ends the file if rows are deleted during the export', async () => {
    const file = await writeCsv(sourceOf([['a'], []], 5), never, () => undefined);

    expect(await file.text()).toBe('Name\r\na\r\n');
  });

  it('reads no further page after the export was given up', async () => {
    const asked: number[] = [];
    const given = new AbortController();
    const source: CsvSource<string> = {
      ...sourceOf([]),
      readPage(page) {
        asked.push(page);
        return Promise.resolve({ rows: ['a'], total: 9 });
      },
    };

    await expect(writeCsv(source, given.signal, (done) => (done === 1 ? undefined : given.abort()))).rejects.toThrow(/abort/i);
    expect(asked).toEqual([0, 1, 2]);
  });
});
