/** Line breaks, tabs and all other control characters. */
const CONTROL_CHARACTER = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/**
 * Any character except spaces, control characters, characters without a glyph (zero-width characters, fillers) and the
 * empty Braille pattern.
 */
const VISIBLE_CHARACTER = /[^\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a text contains a line break, a tab or another control character. */
export function hasControlCharacter(text: string): boolean {
  return CONTROL_CHARACTER.test(text);
}

/** Whether a text contains at least one visible character. */
export function isVisible(text: string): boolean {
  return VISIBLE_CHARACTER.test(text);
}

/** A name without the spaces around it. A name with control characters is returned unchanged, so that it can be refused. */
export function trimmedName(text: string): string {
  return hasControlCharacter(text) ? text : text.trim();
}
