/** The terminal's shell by its rules for quotes and escapes. */
export type Syntax = 'posix' | 'powershell';

type Quote = '"' | "'";

/** The part of the input that is completed. Positions count UTF-16 code units, as the contract does. */
export interface Word {
  readonly start: number;
  /** As it was typed. */
  readonly text: string;
  /** Without quotes and escapes. */
  readonly plain: string;
  /** The quote that the word begins with, if that is still open at the cursor. */
  readonly quote: Quote | undefined;
  /** The first word of a command, where names of programs go. */
  readonly isCommand: boolean;
}

const ESCAPE: Readonly<Record<Syntax, string>> = { posix: '\\', powershell: '`' };
const SEPARATORS: Readonly<Record<Syntax, string>> = { posix: ';|&(', powershell: ';|&({' };
const REDIRECTIONS = '<>';
/** Words of a shell, and programs, that are followed by a command. */
const PREFIXES = new Set(
  '! { if then elif else while until do time exec command builtin nohup sudo doas env nice ionice xargs setsid watch'.split(' '),
);
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/** The word that ends at the cursor. */
export function wordAt(input: string, cursor: number, syntax: Syntax = 'posix'): Word {
  const before = input.slice(0, Math.max(0, cursor));
  const escape = ESCAPE[syntax];
  let [start, plain, isCommand] = [0, '', true];
  let quote: Quote | undefined;
  const next = (at: number, leadsToCommand: boolean): void => {
    [start, plain, isCommand] = [at, '', leadsToCommand];
  };
  for (let at = 0; at < before.length; at++) {
    const character = before[at];
    if (character === escape && quote !== "'") {
      // In double quotes, only some characters can be escaped.
      const isEscaped = quote === undefined || syntax === 'powershell' || '"\\$`'.includes(before[at + 1] ?? '');
      plain += isEscaped ? (before[++at] ?? '') : character;
    } else if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else plain += character;
    } else if (character === '"' || character === "'") {
      quote = character;
    } else if (/\s/.test(character)) {
      const typed = before.slice(start, at);
      next(at + 1, isCommand && (typed === '' || PREFIXES.has(typed) || ASSIGNMENT.test(typed)));
    } else if (SEPARATORS[syntax].includes(character)) {
      next(at + 1, true);
    } else if (REDIRECTIONS.includes(character) || (character === ')' && syntax === 'posix')) {
      next(at + 1, false);
    } else {
      plain += character;
    }
  }
  const text = before.slice(start);
  return { start, text, plain, quote: quote !== undefined && text.startsWith(quote) ? quote : undefined, isCommand };
}

/** The path as the shell reads it, in the quotes that the person has begun. Quotes of a directory stay open, for what is in it. */
export function quotedPath(path: string, isDirectory: boolean, quote: Quote | undefined, syntax: Syntax): string {
  if (syntax === 'powershell') {
    if (quote === '"') return `"${path.replaceAll(/["$`]/g, '`$&')}${isDirectory ? '' : '"'}`;
    const needsQuotes = quote !== undefined || /[^\p{L}\p{N}\\/:._~+-]/u.test(path);
    return needsQuotes ? `'${path.replaceAll("'", "''")}${isDirectory && quote !== undefined ? '' : "'"}` : path;
  }
  const end = isDirectory ? '' : (quote ?? '');
  if (quote === "'") return `'${path.replaceAll("'", String.raw`'\''`)}${end}`;
  if (quote === '"') return `"${path.replaceAll(/["\\$`]/g, String.raw`\$&`)}${end}`;
  return path.replaceAll(/[\s'"\\$&();<>|*?[\]#!`{}]/g, String.raw`\$&`);
}
