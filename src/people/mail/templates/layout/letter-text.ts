import type { Letter, Letterhead } from './letter.js';

/** Longest line, so that programs that do not wrap text, and quotations of it, stay readable. */
const LINE_LENGTH = 78;

/** The letter as plain text. A link has a line of its own, at any length. */
export function letterText({ serviceName, serviceAddress }: Letterhead, { before, facts = [], action, after }: Letter): string {
  const width = Math.max(...facts.map(([word]) => word.length));
  const blocks = [
    ...before.map(wrapped),
    ...(facts.length === 0 ? [] : [facts.map(([word, value]) => `${`${word}:`.padEnd(width + 2)}${value}`).join('\n')]),
    ...(action === undefined ? [] : [`${action.label}:\n${action.link}`]),
    ...after.map(wrapped),
    // Mail programs treat the text after this line as a signature.
    `-- \n${wrapped(serviceName)}\n${serviceAddress}`,
  ];
  return `${blocks.join('\n\n')}\n`;
}

/** A paragraph in lines that are broken between words. */
function wrapped(paragraph: string): string {
  const lines: string[] = [];
  for (const word of paragraph.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > LINE_LENGTH) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines.join('\n');
}
