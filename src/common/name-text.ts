/** Line breaks, tabs and all other control characters. */
const CONTROL_CHARACTER = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** Anything but spaces, control characters, characters without a glyph (zero-width ones, fillers), and the empty Braille pattern. */
const VISIBLE_CHARACTER = /[^\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a text holds a line break, a tab or another control character. */
export function hasControlCharacter(text: string): boolean {
  return CONTROL_CHARACTER.test(text);
}

/** Whether a reader sees anything of a text. */
export function isVisible(text: string): boolean {
  return VISIBLE_CHARACTER.test(text);
}

/** A name without the spaces around it. One with control characters stays as it is, so that it can be refused. */
export function trimmedName(text: string): string {
  return hasControlCharacter(text) ? text : text.trim();
}
