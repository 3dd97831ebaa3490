import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

const sources = fileURLToPath(new URL('../', import.meta.url));
const components = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.tsx'));

const classesOf = (sheet: string): Set<string> => {
  const rules = readFileSync(sheet, 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
  return new Set([...rules.matchAll(/\.([A-Za-z][\w-]*)/g)].map(([, name]) => name));
};

/** The style sheets that a component imports, with the classes that it takes from them by name. */
const uses = components.flatMap((path) => {
  const code = readFileSync(join(sources, path), 'utf8');
  return [...code.matchAll(/import (\w+) from '(\.[^']+\.module\.css)'/g)].map(([, name, sheet]) => ({
    path,
    sheet: join(sources, dirname(path), sheet),
    used: [...code.matchAll(new RegExp(String.raw`\b${name}\.(\w+)`, 'g'))].map(([, used]) => used).filter((used) => used !== 'module'),
  }));
});

describe.each(uses)('the style sheet of $path', ({ sheet, used }) => {
  it('has every class that the component uses', () => {
    const classes = classesOf(sheet);
    expect(used.filter((name) => !classes.has(name))).toEqual([]);
  });
});
