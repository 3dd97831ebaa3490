/** Parses a URL; undefined when the text is not one. */
export function parseUrlText(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
