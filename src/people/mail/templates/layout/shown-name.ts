/** Longest name in a mail, in characters. It leaves room for the words around it in a line of text. */
const MAXIMUM_LENGTH = 60;

const LINE_BREAKS_AND_CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]/gu;
/** Characters without a glyph. Some of them change the direction of writing. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const EMAIL_ADDRESS = /^[\p{L}\p{N}._+-]+@[\p{L}\p{N}._-]+$/u;
/** Characters by which mail programs recognise a web address. */
const WITHIN_AN_ADDRESS = /[.:/](?=\S)/g;
/** It has no width, and no mail program takes it for a part of an address. */
const NON_JOINER = '\u200C';

/** A name as one line of visible text, shortened. For subjects. */
export function shortName(name: string): string {
  const visible = name.toWellFormed().replaceAll(LINE_BREAKS_AND_CONTROLS, ' ').replaceAll(INVISIBLE, '').replaceAll(/\s+/gu, ' ').trim();
  const characters = Array.from(visible);
  return characters.length > MAXIMUM_LENGTH ? `${characters.slice(0, MAXIMUM_LENGTH - 1).join('')}…` : visible;
}

/**
 * A name as a mail shows it: shortened, and never a link. A user who may choose the name of a tenant could otherwise have this server
 * send links of their own.
 */
export function shownName(name: string): string {
  const short = shortName(name);
  return EMAIL_ADDRESS.test(short) ? short : short.replaceAll(WITHIN_AN_ADDRESS, (character) => character + NON_JOINER);
}
