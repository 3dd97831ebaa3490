import { constants } from 'node:fs';
import { access, opendir, readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join, resolve, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  PwshCompletionMatchType,
  type PwshCompletionMatch,
  type PwshCompletionsRequestDto,
  type PwshCompletionsResponseDto,
} from '#libs/contracts';
import { FIRST_LOOKS } from '../files/first-looks.js';
import { quotedPath, wordAt, type Syntax, type Word } from './command-line.js';
import { shellEnvironment } from './shells.js';

/** With more matches than this, only their number is answered. */
const MAX_MATCHES = 500;
const MAX_PAGE_SIZE = MAX_MATCHES;
/** Most names of a directory that are searched. */
const MAX_NAMES = 50_000;
/** Longest search, in milliseconds. The matches found by then are answered. */
const MAX_SEARCH_MS = 2_000;
/** A variable that is being typed: how it begins, and the part of its name. */
const VARIABLE: Readonly<Record<Syntax, RegExp>> = { posix: /(?<!\\)(\$\{?)(\w*)$/, powershell: /(\$env:)(\w*)$/i };
const PREFIX = /^(?:-{1,2}[\w-]+|[A-Za-z_]\w*)=/;
/** Beginning of a path that a shell replaces by a directory. */
const EXPANDED = /^(?:~|\$\w+|\$\{\w+\})\//;
/** Variables that shells have of their own. */
const SHELL_VARIABLES = Object.fromEntries(
  ['HOSTNAME', 'IFS', 'OLDPWD', 'PPID', 'PWD', 'RANDOM', 'SECONDS', 'UID'].map((name) => [name, name]),
);
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

/** Completes file names, variables, and names of programs where a command begins; lists by pages or steps through one by one. */
export class Completer {
  /** The state of stepping through matches. It is kept as long as the same input is completed. */
  private step: { readonly input: string; readonly index: number } | undefined;

  constructor(
    private readonly environment: NodeJS.ProcessEnv = shellEnvironment(),
    private readonly syntax: Syntax = process.platform === 'win32' ? 'powershell' : 'posix',
  ) {}

  /** Pages are counted from 0. With `forward` set, the answer is one match: the next or the previous one. */
  async complete(request: PwshCompletionsRequestDto, directory: string): Promise<PwshCompletionsResponseDto> {
    const { replaced, start, search } = this.subjectOf(request, directory);
    const all: PwshCompletionMatch[] = [];
    const ended = new AbortController();
    // A file system that does not answer, as one of a network that is gone, holds nobody up.
    await Promise.race([search(all, ended.signal), delay(MAX_SEARCH_MS, undefined, { signal: ended.signal, ref: false })]);
    ended.abort();
    all.sort((a, b) => (a.listItemText < b.listItemText ? -1 : 1));
    const matches = all.length > MAX_MATCHES ? [] : all;
    const shown = request.forward === null ? pageOf(matches, request) : this.stepThrough(matches, request, request.forward);
    return { replacementIndex: start, replacementLength: replaced.length, totalCount: all.length, ...shown };
  }

  /** Returns the part to complete: a variable, a program, or a path. */
  private subjectOf({ lastCompletionInput, lastCursorIndex }: PwshCompletionsRequestDto, directory: string): Subject {
    const { syntax, environment } = this;
    const word = wordAt(lastCompletionInput, lastCursorIndex, syntax);
    const variable = word.quote === "'" ? null : VARIABLE[syntax].exec(word.text);
    if (variable !== null) {
      const [replaced, opening, prefix] = variable;
      const start = word.start + word.text.length - replaced.length;
      return { start, replaced, search: async (found) => variables(found, environment, opening, prefix) };
    }
    const namesProgram = word.isCommand && word.plain !== '' && !word.plain.includes('/') && !word.plain.includes(sep);
    if (namesProgram && !word.plain.includes('=')) {
      const searchPath = environment['PATH'] ?? environment['Path'] ?? '';
      return { start: word.start, replaced: word.text, search: async (found, end) => programs(found, word.plain, searchPath, end) };
    }
    // The text before a path stays as it is: `--option=` or `NAME=`, and a beginning that the shell expands.
    const kept = PREFIX.exec(word.text)?.[0] ?? '';
    const place = { directory, environment, syntax };
    const path = { ...wordAt(word.text.slice(kept.length), Infinity, syntax), start: word.start + kept.length };
    return { start: path.start, replaced: path.text, search: async (found, end) => paths(found, path, place, end) };
  }

  private stepThrough(matches: readonly PwshCompletionMatch[], request: PwshCompletionsRequestDto, forward: boolean): Shown {
    const input = `${request.terminalId}:${request.lastCursorIndex}:${request.lastCompletionInput}`;
    const before = this.step?.input === input ? this.step.index : forward ? -1 : 0;
    const index = matches.length === 0 ? 0 : (before + (forward ? 1 : -1) + matches.length) % matches.length;
    this.step = { input, index };
    return { completionMatches: matches.slice(index, index + 1), hasMorePages: false, currentPage: 0 };
  }
}

/** Text to replace, and the search for its replacements. */
interface Subject {
  readonly start: number;
  readonly replaced: string;
  /** Adds to the matches until it ends or the signal fires. */
  readonly search: (found: PwshCompletionMatch[], end: AbortSignal) => Promise<void>;
}

type Shown = Pick<PwshCompletionsResponseDto, 'completionMatches' | 'hasMorePages' | 'currentPage'>;

function pageOf(matches: readonly PwshCompletionMatch[], request: PwshCompletionsRequestDto): Shown {
  const size = Math.min(MAX_PAGE_SIZE, Math.max(1, request.pageSize));
  const currentPage = Math.max(0, request.page);
  const end = (currentPage + 1) * size;
  return { completionMatches: matches.slice(end - size, end), hasMorePages: end < matches.length, currentPage };
}

function variables(found: PwshCompletionMatch[], environment: NodeJS.ProcessEnv, opening: string, prefix: string): void {
  const closing = opening === '${' ? '}' : '';
  for (const [name, value] of Object.entries({ ...SHELL_VARIABLES, ...environment })) {
    if (name.startsWith(prefix)) found.push(match(`${opening}${name}${closing}`, name, PwshCompletionMatchType.Variable, value ?? name));
  }
}

async function programs(found: PwshCompletionMatch[], prefix: string, searchPath: string, end: AbortSignal): Promise<void> {
  const names = new Set<string>();
  const add = (name: string, toolTip: string): void => {
    if (end.aborted || names.has(name)) return;
    names.add(name);
    found.push(match(name, name, PwshCompletionMatchType.Command, toolTip));
  };
  for (const name of BUILT_IN_COMMANDS) if (name.startsWith(prefix)) add(name, name);
  for (const folder of searchPath.split(delimiter).filter(Boolean)) {
    for (const name of await namesIn(folder)) {
      if (end.aborted || names.size > MAX_MATCHES) return;
      if (name.startsWith(prefix) && !names.has(name) && (await isExecutable(join(folder, name)))) add(name, join(folder, name));
    }
  }
}

/** Directory in which a relative path begins, and the values that a shell would expand in one. */
interface Place {
  readonly directory: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly syntax: Syntax;
}

async function paths(found: PwshCompletionMatch[], word: Omit<Word, 'isCommand'>, place: Place, end: AbortSignal): Promise<void> {
  const { syntax } = place;
  const expanded = EXPANDED.exec(word.text)?.[0] ?? '';
  const typed = expanded === '' ? word.plain : wordAt(word.text.slice(expanded.length), Infinity, syntax).plain;
  const cut = Math.max(typed.lastIndexOf('/'), typed.lastIndexOf(sep)) + 1;
  const [folderTyped, prefix] = [typed.slice(0, cut), typed.slice(cut)];
  const base = expanded === '' ? place.directory : expansionOf(expanded, place.environment);
  // An absolute path is one only without a beginning that is expanded.
  const folder = expanded === '' ? resolve(base, folderTyped || '.') : join(base, folderTyped);
  try {
    await FIRST_LOOKS.statusAt(folder);
    let names = 0;
    for await (const entry of await opendir(folder)) {
      if (end.aborted || ++names > MAX_NAMES) return;
      if (!entry.name.startsWith(prefix) || (prefix === '' && entry.name.startsWith('.'))) continue;
      const fullPath = join(folder, entry.name);
      const isDirectory = entry.isDirectory() || (entry.isSymbolicLink() && (await leadsToDirectory(fullPath)));
      const completed = quotedPath(`${folderTyped}${entry.name}${isDirectory ? sep : ''}`, isDirectory, word.quote, syntax);
      const type = isDirectory ? PwshCompletionMatchType.ProviderContainer : PwshCompletionMatchType.ProviderItem;
      if (!end.aborted) found.push(match(`${expanded}${completed}`, entry.name, type, fullPath));
    }
  } catch {
    // A missing or unreadable directory has no completions.
  }
}

/** The directory that `~/`, `$NAME/` or `${NAME}/` stands for. */
function expansionOf(expanded: string, environment: NodeJS.ProcessEnv): string {
  const name = /\w+/.exec(expanded)?.[0];
  return (name === undefined ? homedir() : environment[name]) ?? '/';
}

function match(completionText: string, listItemText: string, matchType: PwshCompletionMatchType, toolTip: string): PwshCompletionMatch {
  return { completionText, listItemText, matchType, toolTip };
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

async function leadsToDirectory(path: string): Promise<boolean> {
  const stats = await FIRST_LOOKS.statusAt(path).catch(() => undefined);
  return stats?.isDirectory() ?? false;
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
