/** A URL, or undefined when the text is none. */
export function parseUrlText(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
