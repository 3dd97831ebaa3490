import { access, readdir, readFile } from 'node:fs/promises';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PICTURES = 'docs/pictures';
const PAGES = 'web/src';
const KIT = 'web/src/ui';
/** Names in the table of the kit that are a type and a header. */
const NO_COMPONENTS: ReadonlySet<string> = new Set(['CsvSource', 'ETag']);
/** Folders of other projects, and of files that are built or stored. */
const NOT_OURS = new Set(['node_modules', 'dist', 'data', 'coverage', 'test-output', 'agent-bundles']);

/** A link or a picture in a document. */
interface Reference {
  readonly document: string;
  /** The file that it leads to, from the root of the project. */
  readonly file: string;
  /** The heading in that file, as links name it. */
  readonly heading: string | null;
}

async function documentsIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(ROOT, folder), { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return entry.name.startsWith('.') || NOT_OURS.has(entry.name) ? [] : documentsIn(path);
      return entry.name.endsWith('.md') ? [path] : [];
    }),
  );
  return found.flat();
}

/** Returns the references of a document within the project: `[text](target)`, `![text](target)`, and pictures in HTML. */
function referencesOf(document: string, text: string): Reference[] {
  const prose = text.replace(/^( {4,}|```).*?$/gm, '').replace(/`[^`]*`/g, '');
  const targets = [
    ...[...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target),
    ...[...prose.matchAll(/\b(?:src|srcset|href)="([^"\s]+)"/g)].map(([, target]) => target),
  ];
  return targets
    .filter((target) => !/^[a-z]+:/i.test(target))
    .map((target) => {
      const [path = '', heading] = target.split('#');
      return { document, file: path === '' ? document : normalize(join(dirname(document), path)), heading: heading ?? null };
    });
}

/** The names under which links know the headings of a document. */
function headingsOf(text: string): Set<string> {
  return new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

const isThere = (file: string): Promise<boolean> =>
  access(join(ROOT, file)).then(
    () => true,
    () => false,
  );

/** The components of the kit, each with its folder, and all other names that the kit exports. */
async function kit(): Promise<{ readonly components: ReadonlyMap<string, string>; readonly names: ReadonlySet<string> }> {
  const paths = (await readdir(join(ROOT, KIT), { recursive: true })).filter((path) => /(?<!\.spec|\.test-d)\.tsx?$/.test(path));
  const components = new Map<string, string>();
  const names = new Set<string>();
  for (const path of paths)
    for (const [, name] of (await readFile(join(ROOT, KIT, path), 'utf8')).matchAll(/^export (?:async )?(?:function|const) (\w+)/gm)) {
      names.add(name);
      if (path.endsWith('.tsx') && /^[A-Z][a-z]/.test(name)) components.set(name, dirname(path));
    }
  return { components, names };
}

/** The components that files outside of the kit show. */
async function shownComponents(): Promise<ReadonlySet<string>> {
  const paths = (await readdir(join(ROOT, PAGES), { recursive: true })).filter((path) => path.endsWith('.tsx') && !path.startsWith('ui/'));
  const shown = paths.map(async (path) => {
    const code = await readFile(join(ROOT, PAGES, path), 'utf8');
    const imported = [...code.matchAll(/import \{([^}]*)\} from '[^']*\/ui\/[^']*'/g)].flatMap(([, names]) => names.split(/[\s,]+/));
    return imported.filter((name) => new RegExp(`<${name}\\b`).test(code));
  });
  return new Set((await Promise.all(shown)).flat());
}

describe('the table of the kit', () => {
  let named: readonly string[];

  beforeAll(async () => {
    const text = await readFile(join(ROOT, 'docs/web.md'), 'utf8');
    const rows = text.slice(text.indexOf('## The kit')).match(/^\| .*$/gm) ?? [];
    named = rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  });

  it('has every component that pages show', async () => {
    const [{ components }, shown] = await Promise.all([kit(), shownComponents()]);
    expect(shown.size).toBeGreaterThan(50);
    expect([...shown].filter((name) => components.has(name) && !named.includes(name)).sort()).toEqual([]);
  });

  it('has a component of every folder', async () => {
    const { components } = await kit();
    const inTable = new Set(named.map((name) => components.get(name)));
    expect([...new Set(components.values())].filter((folder) => !inTable.has(folder)).sort()).toEqual([]);
  });

  it('has no component that is gone', async () => {
    const { names } = await kit();
    expect(named.filter((name) => /^[A-Z][a-z]/.test(name) && !names.has(name) && !NO_COMPONENTS.has(name))).toEqual([]);
  });
});

describe('documents', () => {
  let texts: ReadonlyMap<string, string>;
  let references: readonly Reference[];

  beforeAll(async () => {
    const documents = await documentsIn('.');
    texts = new Map(await Promise.all(documents.map(async (path) => [path, await readFile(join(ROOT, path), 'utf8')] as const)));
    references = [...texts].flatMap(([document, text]) => referencesOf(document, text));
    expect(references.length).toBeGreaterThan(50);
  });

  it('link to files that exist', async () => {
    const missing = await Promise.all(
      references.map(async (each) => ((await isThere(each.file)) ? [] : [`${each.document}: ${each.file}`])),
    );
    expect(missing.flat()).toEqual([]);
  });

  it('link to headings that exist', () => {
    const missing = references.filter(({ file, heading }) => {
      const text = texts.get(file);
      return heading !== null && text !== undefined && !headingsOf(text).has(heading);
    });
    expect(missing.map(({ document, file, heading }) => `${document}: ${file}#${heading}`)).toEqual([]);
  });

  it('show every picture of the guide, in both themes', async () => {
    const stored = (await readdir(join(ROOT, PICTURES))).map((name) => `${PICTURES}/${name}`);
    const shown = new Set(references.map(({ file }) => file).filter((file) => file.startsWith(`${PICTURES}/`)));
    expect(stored.filter((file) => !shown.has(file))).toEqual([]);
    const withoutOther = stored.filter((file) => {
      const other = file.replace(/-(light|dark)\./, (_, theme) => `-${theme === 'light' ? 'dark' : 'light'}.`);
      return other === file || !stored.includes(other);
    });
    expect(withoutOther.map((file) => relative(PICTURES, file))).toEqual([]);
  });
});
