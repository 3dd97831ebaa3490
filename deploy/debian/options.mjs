/*
 * Prints the variables of a file as commands of a shell that export them. It reads the file as systemd reads an EnvironmentFile; that of
 * `node --env-file` would end an unquoted value at `#`. A file that is missing has none.
 */
import { readFileSync } from 'node:fs';

const SPACE = /\s/;
const NAME = /^[A-Za-z_]\w*$/;
/** Characters that lose their backslash between double quotes. */
const ESCAPED = '"\\`$';

/** @returns the text of the file; empty without one */
function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}

/** @returns the value that begins at `from`, and the place behind its line */
function valueAt(text, from) {
  let value = '';
  // Spaces between words count, those at the end do not.
  let spaces = '';
  let quote = '';
  let hasBegun = false;
  let at = from;
  for (; at < text.length; at += 1) {
    const character = text[at];
    if (quote === '' && character === '\n') break;
    if (character === quote) {
      quote = '';
      hasBegun = false;
    } else if (quote === "'") value += character;
    else if (quote === '"') {
      if (character !== '\\') value += character;
      else {
        at += 1;
        const next = text[at] ?? '';
        if (next !== '\n') value += ESCAPED.includes(next) ? next : `\\${next}`;
      }
    } else if (!hasBegun && (character === '"' || character === "'")) quote = character;
    else if (SPACE.test(character)) spaces += hasBegun ? character : '';
    else {
      hasBegun = true;
      let next = character;
      if (character === '\\') {
        at += 1;
        next = text[at] === '\n' ? '' : (text[at] ?? '');
      }
      value += spaces + next;
      spaces = '';
    }
  }
  return { value, end: at + 1 };
}

function* variablesIn(text) {
  for (let at = 0; at < text.length;) {
    const lineEnd = (text.indexOf('\n', at) + 1 || text.length + 1) - 1;
    const line = text.slice(at, lineEnd);
    const equals = line.indexOf('=');
    if (/^\s*[#;]/.test(line) || equals === -1) {
      at = lineEnd + 1;
      continue;
    }
    const { value, end } = valueAt(text, at + equals + 1);
    const name = line.slice(0, equals).trim();
    if (NAME.test(name)) yield { name, value };
    at = end;
  }
}

for (const { name, value } of variablesIn(read(process.argv[2]).replaceAll('\r\n', '\n'))) {
  process.stdout.write(`export ${name}='${value.replaceAll("'", `'\\''`)}'\n`);
}
