import { readdirSync, readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { pseudoText } from './pseudo.js';

const folder = new URL('en/', import.meta.url);
const sources = new URL('../', import.meta.url);

const areas = readdirSync(folder).map((file) => {
  const json = readFileSync(new URL(file, folder), 'utf8');
  return { area: file.replace(/\.json$/, ''), json, texts: JSON.parse(json) as Record<string, string> };
});

/** The forms that English has. */
const FORMS = ['one', 'other'];
const PLURAL = /^(.+)_(zero|one|two|few|many|other)$/;

const placeholders = (text: string): string[] => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name);

/** The source code of the areas' parts, to see which texts are used. */
const code = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/\.spec\.tsx?$|\/generated\//.test(path))
  .map((path) => readFileSync(new URL(path, sources), 'utf8'))
  .join('\n');

describe.each(areas)('the texts of $area', ({ json, texts }) => {
  const keys = Object.keys(texts);

  it('sorts texts by their keys, each once', () => {
    expect(keys).toEqual([...keys].sort());
    expect(json.match(/^ {2}"/gm)).toHaveLength(keys.length);
  });

  it('has plain words only: no markup, no spaces at the ends', () => {
    for (const [key, text] of Object.entries(texts)) {
      expect(text, key).toBe(text.trim());
      expect(text, key).not.toMatch(/^$|<\/?\w+>|\{\{\s|\s\}\}/);
      expect(text.replaceAll(/\{\{\w+\}\}/g, ''), key).not.toMatch(/[{}]/);
    }
  });

  it('has every plural form, and names the count in all forms but the one for 1', () => {
    const stems = new Set(keys.map((key) => PLURAL.exec(key)?.[1]).filter((stem) => stem !== undefined));
    for (const stem of stems) {
      expect(keys.filter((key) => PLURAL.exec(key)?.[1] === stem)).toEqual(FORMS.map((form) => `${stem}_${form}`));
      expect(keys, `${stem} is both a text and a plural`).not.toContain(stem);
      const other = placeholders(texts[`${stem}_other`]);
      // "1 device" may also be "One device", but never names a value that the others do not.
      for (const name of placeholders(texts[`${stem}_one`])) expect(other, stem).toContain(name);
    }
  });

  it('has only placeholders that some call fills', () => {
    for (const [key, text] of Object.entries(texts)) {
      for (const name of placeholders(text)) expect(code, `{{${name}}} of ${key}`).toMatch(new RegExp(`\\b${name}\\b\\s*[,:}]`));
    }
  });

  it('keeps placeholders in the pseudo-language', () => {
    for (const text of Object.values(texts)) expect(placeholders(pseudoText(text))).toEqual(placeholders(text));
  });
});
