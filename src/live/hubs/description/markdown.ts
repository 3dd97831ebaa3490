/** Markdown that the formatter of this project leaves unchanged. */

/** A table with aligned columns. Cells contain no line ends. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, ...rows].map((cells) => cells.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = header.map((_, column) => Math.max(3, ...lines.map((cells) => cells[column].length)));
  const written = lines.map((cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`);
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [written[0], rule, ...written.slice(1)].join('\n');
}

/** Inline code. */
export function code(text: string): string {
  return `\`${text}\``;
}

/** A link to a heading of the same document. */
export function linkTo(heading: string, text: string = heading): string {
  return `[${text}](#${anchorOf(heading)})`;
}

/** The anchor that GitHub gives to a heading that occurs once. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

/** A fenced code block. */
export function block(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
