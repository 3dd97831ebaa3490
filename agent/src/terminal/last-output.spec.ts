import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { LineShell } from './line-shell.js';
import { DEFAULT_SIZE, RawShell } from './raw-shell.js';

/** About 10 kB: more than one read of a terminal returns, and less than a terminal holds for a reader that waits. */
const LINES = 1200;
const PRINT = `for (let line = 1; line <= ${LINES}; line += 1) console.log(line + "é€");`;
const EXPECTED = Array.from({ length: LINES }, (_, index) => `${index + 1}é€`);
const COMMAND = `exec '${process.execPath}' -e '${PRINT}'`;

describe('the last output of a shell that ends', () => {
  it('reaches a viewer of a raw shell that was held back before it', async () => {
    let printed = '';
    await new Promise<void>((resolve) => {
      const shell = new RawShell(DEFAULT_SIZE, tmpdir(), (text) => (printed += text), resolve);
      shell.type(`${COMMAND}\r`);
      shell.pause();
    });
    expect(linesOf(printed)).toEqual(EXPECTED);
  });

  it('reaches a viewer of a raw shell that was held back in the middle of it', async () => {
    let printed = '';
    await new Promise<void>((resolve) => {
      const shell = new RawShell(
        DEFAULT_SIZE,
        tmpdir(),
        (text) => {
          printed += text;
          if (printed.includes('1é€')) shell.pause();
        },
        resolve,
      );
      shell.type(`${COMMAND}\r`);
    });
    expect(linesOf(printed)).toEqual(EXPECTED);
  });

  it('is part of the result of a command line', async () => {
    let result = '';
    await new Promise<void>((resolve, reject) => {
      const listener = { onResult: (text: string) => (result += text), onPrompt: () => undefined, onExit: resolve };
      const shell = new LineShell(listener, tmpdir());
      shell
        .start()
        .then(() => {
          shell.type(COMMAND);
          shell.pause();
        })
        .catch(reject);
    });
    expect(linesOf(result)).toEqual(EXPECTED);
  });
});

/** The lines of the program, among what the shell prints. */
function linesOf(text: string): string[] {
  return text.match(/\d+é€/g) ?? [];
}
