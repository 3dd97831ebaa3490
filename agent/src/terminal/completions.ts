import { constants } from 'node:fs';
import { access, opendir, readdir } from 'node:fs/promises';
import { delimiter, join, resolve, sep } from 'node:path';
import {
  PwshCompletionMatchType,
  type PwshCompletionMatch,
  type PwshCompletionsRequestDto,
  type PwshCompletionsResponseDto,
} from '#libs/contracts';

/** With more matches than this, only their number is answered. */
const MAX_MATCHES = 500;
const MAX_PAGE_SIZE = MAX_MATCHES;
/** Most names of a directory that are searched. */
const MAX_NAMES = 50_000;
const BUILT_IN_COMMANDS = [
  'alias',
  'cd',
  'echo',
  'eval',
  'exit',
  'export',
  'jobs',
  'kill',
  'printf',
  'pwd',
  'read',
  'set',
  'test',
  'type',
  'ulimit',
  'umask',
  'unset',
  'wait',
];

/** The part of the input that is completed. */
export interface Word {
  readonly start: number;
  readonly text: string;
  /** The first word of a command, where names of programs go. */
  readonly isCommand: boolean;
}

/** The word that ends at the cursor. Blanks behind a backslash belong to it. */
export function wordAt(input: string, cursor: number): Word {
  const before = input.slice(0, Math.max(0, cursor));
  const text = /(?:\\.|[^\s;|&()<>])*$/.exec(before)?.[0] ?? '';
  const start = before.length - text.length;
  return { start, text, isCommand: /(?:^|[;|&(])\s*$/.test(before.slice(0, start)) };
}

/** Completes file names, and names of programs at the start of a command; lists by pages or steps through one by one. */
export class Completer {
  /** The state of stepping through matches. It is kept as long as the same input is completed. */
  private step: { readonly input: string; readonly index: number } | undefined;

  constructor(private readonly searchPath: string = process.env['PATH'] ?? '') {}

  /** Pages are counted from 0. With `forward` set, the answer is one match: the next or the previous one. */
  async complete(request: PwshCompletionsRequestDto, directory: string): Promise<PwshCompletionsResponseDto> {
    const word = wordAt(request.lastCompletionInput, request.lastCursorIndex);
    const namesProgram = word.isCommand && word.text !== '' && !word.text.includes('/') && !word.text.includes(sep);
    const all = namesProgram ? await programs(word.text, this.searchPath) : await paths(word.text, directory);
    const matches = all.length > MAX_MATCHES ? [] : all;
    const shown = request.forward === null ? pageOf(matches, request) : this.stepThrough(matches, request, request.forward);
    return { replacementIndex: word.start, replacementLength: word.text.length, totalCount: all.length, ...shown };
  }

  private stepThrough(matches: readonly PwshCompletionMatch[], request: PwshCompletionsRequestDto, forward: boolean): Shown {
    const input = `${request.terminalId}:${request.lastCursorIndex}:${request.lastCompletionInput}`;
    const before = this.step?.input === input ? this.step.index : forward ? -1 : 0;
    const index = matches.length === 0 ? 0 : (before + (forward ? 1 : -1) + matches.length) % matches.length;
    this.step = { input, index };
    return { completionMatches: matches.slice(index, index + 1), hasMorePages: false, currentPage: 0 };
  }
}

type Shown = Pick<PwshCompletionsResponseDto, 'completionMatches' | 'hasMorePages' | 'currentPage'>;

function pageOf(matches: readonly PwshCompletionMatch[], request: PwshCompletionsRequestDto): Shown {
  const size = Math.min(MAX_PAGE_SIZE, Math.max(1, request.pageSize));
  const currentPage = Math.max(0, request.page);
  const end = (currentPage + 1) * size;
  return { completionMatches: matches.slice(end - size, end), hasMorePages: end < matches.length, currentPage };
}

async function programs(prefix: string, searchPath: string): Promise<PwshCompletionMatch[]> {
  const folders = searchPath.split(delimiter).filter(Boolean);
  const names = new Set(BUILT_IN_COMMANDS.filter((name) => name.startsWith(prefix)));
  for (const folder of folders) {
    for (const name of await namesIn(folder)) {
      if (name.startsWith(prefix) && (await isExecutable(join(folder, name)))) names.add(name);
      if (names.size > MAX_MATCHES) break;
    }
  }
  return [...names].sort().map((name) => match(name, name, PwshCompletionMatchType.Command, name));
}

async function paths(typed: string, directory: string): Promise<PwshCompletionMatch[]> {
  const plain = typed.replaceAll(/\\(.)/g, '$1');
  const cut = plain.lastIndexOf('/') + 1;
  const [folderTyped, prefix] = [plain.slice(0, cut), plain.slice(cut)];
  const folder = resolve(directory, folderTyped || '.');
  const found: PwshCompletionMatch[] = [];
  for (const entry of await entriesIn(folder)) {
    if (!entry.name.startsWith(prefix) || (prefix === '' && entry.name.startsWith('.'))) continue;
    const completed = `${folderTyped}${entry.name}${entry.isDirectory ? '/' : ''}`;
    const type = entry.isDirectory ? PwshCompletionMatchType.ProviderContainer : PwshCompletionMatchType.ProviderItem;
    found.push(match(escaped(completed), entry.name, type, join(folder, entry.name)));
  }
  return found.sort((a, b) => (a.listItemText < b.listItemText ? -1 : 1));
}

function match(completionText: string, listItemText: string, matchType: PwshCompletionMatchType, toolTip: string): PwshCompletionMatch {
  return { completionText, listItemText, matchType, toolTip };
}

/** Escapes the characters that a shell would not read as part of a name. */
function escaped(path: string): string {
  return path.replaceAll(/[\s'"\\$&();<>|*?[\]#!`{}]/g, String.raw`\$&`);
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

async function entriesIn(folder: string): Promise<{ name: string; isDirectory: boolean }[]> {
  const entries: { name: string; isDirectory: boolean }[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      if (entries.length === MAX_NAMES) break;
      entries.push({ name: entry.name, isDirectory: entry.isDirectory() });
    }
  } catch {
    // A missing or unreadable directory has no completions.
    return [];
  }
  return entries;
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
