const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** HTML that {@link markup} has composed. Only that function can make one, so that no text gets into a page unescaped. */
class Markup {
  constructor(private readonly source: string) {}

  toString(): string {
    return this.source;
  }
}

export type { Markup };

/** Possible contents of a page: text, which is escaped, composed HTML, a list of it, or nothing. */
type Content = string | number | Markup | Markup[] | null;

/** Composes HTML. Every text is escaped, for the content of elements and for attributes in quotation marks. */
export function markup(strings: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return new Markup(strings.reduce((before, after, i) => before + sourceOf(contents[i - 1] ?? null) + after));
}

function sourceOf(content: Content): string {
  if (content === null) return '';
  if (content instanceof Markup) return content.toString();
  if (Array.isArray(content)) return content.map(sourceOf).join('');
  return String(content).replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
