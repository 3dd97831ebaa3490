/** Line breaks, tabs and all other control characters. */
const CONTROL_CHARACTER = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/**
 * Any character except spaces, control characters, characters without a glyph (zero-width characters, fillers) and the
 * empty Braille pattern.
 */
const VISIBLE_CHARACTER = /[^\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Checks whether a text contains a line break, a tab or another control character. */
export function hasControlCharacter(text: string): boolean {
  return CONTROL_CHARACTER.test(text);
}

/** Characters that change the direction of the text around them, and halves of surrogate pairs, which no encoding can carry. */
const DECEPTIVE_CHARACTER = /[\p{Bidi_Control}\p{Surrogate}]/u;

/**
 * Checks whether a text contains a control character of writing direction, which can make a name read as another, or half a surrogate pair.
 */
export function hasDeceptiveCharacter(text: string): boolean {
  return DECEPTIVE_CHARACTER.test(text);
}

/** Checks whether a text contains at least one visible character. */
export function isVisible(text: string): boolean {
  return VISIBLE_CHARACTER.test(text);
}

/**
 * A name without the spaces around it, in Unicode's form NFC, so that names that look the same are equal. A name with control characters
 * is returned unchanged, so that it can be refused.
 */
export function trimmedName(text: string): string {
  return hasControlCharacter(text) ? text : text.trim().normalize('NFC');
}
