import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';

import { exampleMails, USUAL_NAMES } from '../../src/people/mail/preview/example-mails.js';
import { permissionCatalog, PermissionPrincipalKind, PermissionScopeKind } from '../../src/access/authorization/permissions/permission.js';

/*
 * The rules of docs/style.md that a program can check.
 */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CATALOGUE = 'web/src/i18n/en';
/** Folders with code and documents of the project. */
const SOURCES = ['agent', 'bench', 'demo', 'libs', 'src', 'test', 'web'] as const;

/** A text with the place where it stands, such as `users.title`. */
interface Placed {
  readonly place: string;
  readonly text: string;
}

/** A word that texts do not use, and what they say in its stead. */
interface Rule {
  readonly word: RegExp;
  readonly instead: string;
}

/** Words that make a text read as if translated. */
const EVERYWHERE: readonly Rule[] = [
  { word: /\bwhoever\b/i, instead: 'anyone who, the user who' },
  { word: /\bsomebody\b/i, instead: 'someone, a user' },
  { word: /\banew\b/i, instead: 'again' },
  { word: /\bmeanwhile\b/i, instead: 'nothing, or the time' },
  { word: /\blately\b/i, instead: 'recently' },
  { word: /\bfor want of\b/i, instead: 'without' },
  { word: /\bwhat (?:came|comes|became|becomes) of\b/i, instead: 'results' },
  { word: /\bnone of (?:yours|theirs)\b/i, instead: 'not connected to your account' },
  { word: /\bby and by\b/i, instead: 'over time' },
  { word: /\blog(?:s|ged|ging)? (?:in|out)\b(?! (?:the|a|its|one|words|…))/i, instead: 'sign in, sign out' },
];

/** The beginning of an indirect question. */
const QUESTION: Rule = {
  word: /^(?:(?:since|until) when|whether|how (?!to\b)|what|when|where|which|whom?|why)\b/i,
  instead: 'a noun phrase, or a verb and its object',
};

/** Words that people read in pages and mails. Documents speak of the same things with the terms of the API. */
const FOR_PEOPLE: readonly Rule[] = [
  { word: /\bemails?\b/i, instead: 'e-mail' },
  { word: /\bany more\b/i, instead: 'no longer' },
  { word: /\bswitch(?:ed|es|ing)? (?:on|off)\b|\bswitch(?:ed)? \w+ (?:on|off)\b/i, instead: 'turn on, turn off' },
  { word: /\bin place\b(?! of)/i, instead: 'the state itself' },
  { word: /\b(?:an|the|your|this) invites?\b/i, instead: 'invitation' },
  { word: /\bformer\b/i, instead: 'previous' },
  { word: /\breboots?\b/i, instead: 'restart' },
  { word: /\bIds?\b/, instead: 'ID, IDs' },
  { word: /\b(?:behaviour|colour|cancelled|licence|catalogue|neighbours?)\b/i, instead: 'the American spelling' },
  { word: /\bAn (?:unexpected )?error occurred\b/i, instead: 'what failed, and what to do' },
  { word: /\bremove\b.*\bfrom (?:the )?server\b/i, instead: 'delete' },
  { word: /\bmake (?:a|another|new)\b|\b(?:is|are|was|were) made\b/i, instead: 'create' },
];

/** Words of pages. Mails have the names of more things in them. */
const IN_PAGES: readonly Rule[] = [
  { word: /\bthe service\b/i, instead: 'the server: people know no other' },
  { word: /\bmails?\b(?<!\be-mails?)(?! server)(?<!test mail)/i, instead: 'e-mail' },
];

/** Words of the API's descriptions. */
const IN_DESCRIPTIONS: readonly Rule[] = [
  { word: /\bany more\b/i, instead: 'no longer' },
  { word: /\b(?:every|no)body\b/i, instead: 'everyone, no one' },
  { word: /\bonce more\b/i, instead: 'again' },
  { word: /\bswitch(?:ed|es|ing)? (?:on|off)\b/i, instead: 'turn on, turn off' },
  { word: /\b(?:behaviour|colours?|cancelled|licence|neighbours?)\b/i, instead: 'the American spelling' },
];

/** Names that programs use: fields and classes in camel case, members of enumerations, permissions. */
const PROGRAMMING_NAMES: readonly RegExp[] = [
  /\b[a-z]+[A-Z][A-Za-z]*\b(?<!macOS)/,
  new RegExp(
    `\\b(?:${[...Object.values(PermissionScopeKind), ...Object.values(PermissionPrincipalKind)].filter((name) => /[a-z][A-Z]/.test(name)).join('|')})\\b`,
  ),
  new RegExp(`(?:${permissionCatalog.map(({ name }) => name.replaceAll('.', String.raw`\.`)).join('|')})`),
];

/** First words of buttons that are verbs. */
const VERBS = new Set(
  `Add Allow Apply Approve Back Bring Cancel Change Clear Close Confirm Connect Continue Copy Create Delete Deny Disable Disconnect Discard Dismiss
  Download Edit Enable End Export Find Go Install Invite Join Keep Leave Load Move Notify Open Overwrite Paste Reconnect Refresh Register Reject
  Reload Remove Rename Resend Reset Restart Restore Resume Retry Review Revoke Save Search Select Send Set Show Shut Sign Skip Sort Start Stop Suspend Tell
  Try Turn Undo Uninstall Update Upload Use Verify View Wake Withdraw`.split(/\s+/),
);
/** Buttons that begin with another word: they open what they name. */
const NOUN_BUTTONS = new Set(['Columns', 'Filter', 'Filters', 'New', 'More', 'Views']);

const read = async (path: string): Promise<string> => readFile(join(ROOT, path), 'utf8');

async function filesBelow(folder: string, ending: RegExp): Promise<string[]> {
  const entries = await readdir(join(ROOT, folder), { recursive: true });
  return entries.filter((path) => ending.test(path)).map((path) => join(folder, path));
}

/** The texts of the pages by area. Search words are what people type, not what they read. */
async function catalogue(): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>> {
  const files = await filesBelow(CATALOGUE, /\.json$/);
  const areas = files.map(
    async (file) => [file.replace(/^.*\/|\.json$/g, ''), JSON.parse(await read(file)) as Record<string, string>] as const,
  );
  return new Map(await Promise.all(areas));
}

const isOurs = (path: string): boolean => !/(?:^|\/)(?:node_modules|dist|generated)\//.test(path);

function textsOf(areas: ReadonlyMap<string, Readonly<Record<string, string>>>): Placed[] {
  return [...areas].flatMap(([area, texts]) =>
    Object.entries(texts)
      .filter(([key]) => !key.startsWith('words-'))
      .map(([key, text]) => ({ place: `${area}.${key}`, text: text.replaceAll(/\{\{\w+\}\}/g, '…') })),
  );
}

function mails(): Placed[] {
  return Object.entries(exampleMails(USUAL_NAMES)).flatMap(([name, { subject, text }]) => [
    { place: `${name}, subject`, text: subject },
    ...text.split(/\n{2,}/).map((paragraph) => ({ place: name, text: paragraph.replaceAll(/\S+:\/\/\S+/g, '…').replaceAll('\n', ' ') })),
  ]);
}

/** Sources whose sentences are described by the contract, or are for those who run the service. */
const NOT_SHOWN = /\.(?:spec|dto|controller|internal)\.ts$|\/(?:migrations|triggers|templates|openapi|description|config)\//;

/** The sentences in the code of the service: whole string literals that begin with a capital letter and end as sentences do. */
async function sentences(): Promise<Placed[]> {
  const files = (await filesBelow('src', /\.ts$/)).filter((path) => !NOT_SHOWN.test(path));
  return (await Promise.all(files.map(async (path) => sentencesIn(path, await read(path))))).flat();
}

function sentencesIn(path: string, code: string): Placed[] {
  const source = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true);
  const found: Placed[] = [];
  const visit = (node: ts.Node): void => {
    const text = literalText(node);
    if (text === null) return ts.forEachChild(node, visit);
    if (/^[A-Z].* .*[.:!?]$/.test(text))
      found.push({ place: `${path}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`, text });
    return undefined;
  };
  visit(source);
  return found;
}

function literalText(node: ts.Node): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
}

/** The descriptions and summaries in the copies of the API's descriptions, each text once with the place of its first use. */
async function apiDescriptions(): Promise<Placed[]> {
  const found = new Map<string, string>();
  const visit = (node: unknown, place: string): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [name, value] of Object.entries(node)) {
      if ((name === 'description' || name === 'summary') && typeof value === 'string') {
        if (!found.has(value)) found.set(value, place);
      } else visit(value, `${place} ${name}`);
    }
  };
  for (const file of await filesBelow('openapi', /\.json$/)) visit(JSON.parse(await read(file)), file);
  return [...found].map(([text, place]) => ({ place, text }));
}

/** The prose of the documents, by line: without code, addresses and pictures. */
async function documents(): Promise<Placed[]> {
  const files = await Promise.all(['docs', ...SOURCES].map((folder) => filesBelow(folder, /\.md$/)));
  // The table of words quotes those that it advises against.
  const paths = ['README.md', 'CONTRIBUTING.md', ...files.flat()].filter((path) => path !== 'docs/style.md' && isOurs(path));
  return (await Promise.all(paths.map(async (path) => prose(path, await read(path))))).flat();
}

/** The doc comments in the code, by their first line. */
async function docComments(): Promise<Placed[]> {
  const files = await Promise.all(SOURCES.map((folder) => filesBelow(folder, /\.tsx?$/)));
  return (
    await Promise.all(
      files
        .flat()
        .filter(isOurs)
        .map(async (path) => docCommentsIn(path, await read(path))),
    )
  ).flat();
}

function docCommentsIn(path: string, code: string): Placed[] {
  return [...code.matchAll(/\/\*\*\s(.*?)\*\//gs)].map(({ index, 1: comment }) => ({
    place: `${path}:${code.slice(0, index).split('\n').length}`,
    text: comment
      .replaceAll(/\s*\n\s*\*\s?/g, ' ')
      .replaceAll(/`[^`]*`/g, '…')
      .trim(),
  }));
}

function prose(path: string, text: string): Placed[] {
  let isCode = false;
  return text.split('\n').flatMap((line, index) => {
    if (line.startsWith('```')) isCode = !isCode;
    if (isCode || line.startsWith('    ') || line.startsWith('```')) return [];
    return [{ place: `${path}:${index + 1}`, text: line.replaceAll(/`[^`]*`|\]\([^)]*\)|<[^>]*>/g, '…') }];
  });
}

/** The texts that break a rule, each with what to say instead. */
function broken(texts: readonly Placed[], rules: readonly Rule[]): string[] {
  return texts.flatMap(({ place, text }) =>
    rules.filter(({ word }) => word.test(text)).map(({ instead }) => `${place}: ${text} [${instead}]`),
  );
}

let areas: ReadonlyMap<string, Readonly<Record<string, string>>>;
let pages: readonly Placed[];

beforeAll(async () => {
  areas = await catalogue();
  pages = textsOf(areas);
  expect(pages.length).toBeGreaterThan(1_500);
});

describe('texts', () => {
  it('of pages use one word for one thing, and no words that read as if translated', () => {
    expect(broken(pages, [...EVERYWHERE, ...FOR_PEOPLE, ...IN_PAGES])).toEqual([]);
  });

  it('of mails do, too', () => {
    expect(broken(mails(), [...EVERYWHERE, ...FOR_PEOPLE])).toEqual([]);
  });

  it('of the service do', async () => {
    const said = await sentences();
    expect(said.length).toBeGreaterThan(300);
    expect(broken(said, EVERYWHERE)).toEqual([]);
  });

  it('of documents do', async () => {
    expect(broken(await documents(), EVERYWHERE)).toEqual([]);
  });

  it('of doc comments do, and begin with a noun phrase or a verb, not with a question', async () => {
    const comments = await docComments();
    expect(comments.length).toBeGreaterThan(5_000);
    expect(broken(comments, [...EVERYWHERE, QUESTION])).toEqual([]);
  });

  it('of the API do, and describe a field by a noun phrase or a condition', async () => {
    const described = await apiDescriptions();
    expect(described.length).toBeGreaterThan(1_500);
    expect(broken(described, [...EVERYWHERE, ...IN_DESCRIPTIONS, QUESTION])).toEqual([]);
  });

  it('of pages and mails have no names for programs in them', () => {
    const named = [...pages.filter(({ place }) => !place.startsWith('permissions.')), ...mails()];
    const wrong = named.filter(({ text }) => PROGRAMMING_NAMES.some((name) => name.test(text)));
    expect(wrong.map(({ place, text }) => `${place}: ${text}`)).toEqual([]);
  });

  it('of pages are written with typographic quotes, one kind of apostrophe and an ellipsis', () => {
    const wrong = pages.filter(({ text }) => /[’‘"]|\.\.\./.test(text));
    expect(wrong.map(({ place, text }) => `${place}: ${text}`)).toEqual([]);
  });

  it('of errors do not say the same twice: a title is no sentence of its detail', () => {
    const twice = [...areas].flatMap(([area, texts]) =>
      Object.entries(texts)
        .filter(([key, text]) => key.endsWith('-title') && texts[key.replace(/-title$/, '-text')] === text)
        .map(([key]) => `${area}.${key}`),
    );
    expect(twice).toEqual([]);
  });
});

describe('buttons', () => {
  let components: readonly { readonly path: string; readonly code: string }[];

  beforeAll(async () => {
    const paths = await filesBelow('web/src', /\.tsx$/);
    components = await Promise.all(paths.map(async (path) => ({ path, code: await read(path) })));
  });

  it('begin with a verb', async () => {
    const labels = (await Promise.all(components.map(labelsIn))).flat();
    expect(labels.length).toBeGreaterThan(100);
    const wrong = labels.filter(({ text }) => {
      const [first = ''] = text.split(/[\s…]/);
      return !VERBS.has(first) && !NOUN_BUTTONS.has(first);
    });
    expect(wrong.map(({ place, text }) => `${place}: ${text}`)).toEqual([]);
  });

  /** The labels of the buttons in a component, where they are one text. */
  async function labelsIn({ path, code }: { readonly path: string; readonly code: string }): Promise<Placed[]> {
    const texts = areas.get((await areaOf(path, code)) ?? '');
    if (texts === undefined) return [];
    return [...code.matchAll(/<Button\b(?:[^<>]|=>)*?>\s*\{t\('([^']+)'/g)].flatMap(([, key]) =>
      [key, `${key}_one`, `${key}_other`].filter((each) => each in texts).map((each) => ({ place: `${path}, ${each}`, text: texts[each] })),
    );
  }

  /** The area of a component's texts: it reads the catalogue itself, or through a file of its folder. */
  async function areaOf(path: string, code: string): Promise<string | null> {
    const own = /i18n\/en\/([\w-]+)\.json/.exec(code);
    if (own !== null) return own[1];
    const shared = /import \{[^}]*\bt\b[^}]*\} from '([^']*texts)\.js'/.exec(code);
    if (shared === null) return null;
    return /i18n\/en\/([\w-]+)\.json/.exec(await read(`${join(dirname(path), shared[1])}.ts`))?.[1] ?? null;
  }
});
