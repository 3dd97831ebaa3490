/** Rows to which the first character of the typed text narrows the palette down. */
type Mode = 'all' | 'actions' | 'users' | 'tags' | 'why';

const PREFIXES: Readonly<Record<string, Mode>> = { '>': 'actions', '@': 'users', '#': 'tags' };
const WHY = /^why\b/i;
/** Words of a question that name nothing. */
const FILLERS: ReadonlySet<string> = new Set(['why', 'can', 'may', 'do', 'does', 'the', 'on']);

export interface Typed {
  readonly mode: Mode;
  /** Search text, without the prefix. */
  readonly text: string;
  /** Its words in small letters. */
  readonly words: readonly string[];
}

/** Reads the typed text of the palette. */
export function readTyped(typed: string): Typed {
  const trimmed = typed.trim();
  const prefix = PREFIXES[trimmed.charAt(0)];
  const mode = prefix ?? (WHY.test(trimmed) ? 'why' : 'all');
  const text = prefix === undefined ? trimmed : trimmed.slice(1).trim();
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return { mode, text, words: mode === 'why' ? words.filter((word) => !FILLERS.has(word)) : words };
}

/** True if all words occur in the texts. */
export const hasWords = (words: readonly string[], ...texts: readonly (string | null | undefined)[]): boolean => {
  const all = texts.join(' ').toLowerCase();
  return words.every((word) => all.includes(word));
};

/** An act with the words after it: `restart srv-01`. */
export interface TypedAct<Id> {
  readonly id: Id;
  readonly rest: string;
}

/** Letters of an act's first word that stand for all of it. */
const LEAST_LETTERS = 3;

/** Number of the leading words that are those of an act; the last of them may be unfinished. */
function wordsOfAct(words: readonly string[], label: string): number {
  const own = label.toLowerCase().split(' ');
  const isMeant = (word: string | undefined, at: number): boolean =>
    word !== undefined && own[at] !== undefined && word.length >= LEAST_LETTERS && own[at].startsWith(word);
  let count = 0;
  while (isMeant(words[count], count)) count += 1;
  return count;
}

/** The acts that a text begins with, each with what it is to be done with. Those that it names with more words win. */
export function actsIn<Id>(text: string, acts: readonly { readonly id: Id; readonly label: string }[]): TypedAct<Id>[] {
  const words = text.split(/\s+/);
  const lowered = words.map((word) => word.toLowerCase());
  const counted = acts.map(({ id, label }) => ({ id, count: wordsOfAct(lowered, label) }));
  const most = Math.max(1, ...counted.map(({ count }) => count));
  const rest = words.slice(most).join(' ');
  return rest === '' ? [] : counted.filter(({ count }) => count === most).map(({ id }) => ({ id, rest }));
}

interface Person {
  readonly id: string;
  readonly name: string;
}

interface Permission {
  readonly name: string;
  readonly displayName: string;
}

/** A question of the kind "Why can Dana use terminals?", as far as the words tell. */
export interface Question {
  readonly person: Person | null;
  readonly permission: Permission | null;
}

/** The questions that words may mean: each word names a person or a permission. */
export function questionsOf(
  words: readonly string[],
  people: readonly Person[],
  permissions: readonly Permission[],
  most: number,
): Question[] {
  const names = (word: string): boolean => people.some(({ name }) => hasWords([word], name));
  const personal = words.filter(names);
  const rest = words.filter((word) => !names(word));
  const person = personal.length === 0 ? undefined : people.filter(({ name }) => hasWords(personal, name));
  const permission = rest.length === 0 ? undefined : permissions.filter((each) => hasWords(rest, each.name, each.displayName));
  const questions = (person ?? [null]).flatMap((who) => (permission ?? [null]).map((what) => ({ person: who, permission: what })));
  return questions.filter((question) => question.person !== null || question.permission !== null).slice(0, most);
}
