/** Characters that mean something in a regular expression. */
const SPECIAL = /[.*+?^${}()|[\]\\]/g;

/** The addresses of the front end's pages, as the patterns of its router say: `$name` stands for one segment. */
export class PageRoutes {
  private readonly pattern: RegExp;

  constructor(patterns: readonly string[]) {
    // Letter case and a slash at the end make no difference to the router either. Without patterns nothing matches.
    this.pattern = patterns.length === 0 ? /(?!)/ : new RegExp(`^(?:${patterns.map(expressionOf).join('|')})/?$`, 'i');
  }

  /** Checks that a path, as it was requested, is that of a page. */
  has(path: string): boolean {
    return this.pattern.test(path);
  }
}

function expressionOf(pattern: string): string {
  const segments = pattern.split('/').filter((segment) => segment !== '');
  return segments.map((segment) => `/${segment.startsWith('$') ? '[^/]+' : segment.replaceAll(SPECIAL, String.raw`\$&`)}`).join('');
}
