import { isPressed, type Pressed } from '../ui/kbd/keys.js';
import { isSingleKey, type ShortcutTable } from '../ui/kbd/shortcuts.js';

/** Properties of the user's keyboard. */
export interface Keyboard {
  readonly isMac: boolean;
  /** True if single letters and signs are shortcuts. */
  readonly singleKeys: boolean;
}

/** Result of a stroke: shortcuts that are complete, or the first stroke of some. */
export interface Read<Id> {
  readonly complete: readonly Id[];
  readonly begun: string | null;
}

interface Alternative {
  readonly id: string;
  readonly strokes: readonly string[];
}

const alternativesOf = (table: ShortcutTable): Alternative[] =>
  Object.entries(table).flatMap(([id, alternatives]) => alternatives.map((keys) => ({ id, strokes: keys.split(' ') })));

const isMeant = (stroke: string | undefined, pressed: Pressed, { isMac, singleKeys }: Keyboard): boolean =>
  stroke !== undefined && (singleKeys || !isSingleKey(stroke)) && isPressed(stroke, pressed, isMac);

/** Reads a stroke that follows no other. */
export function readStroke<T extends ShortcutTable>(table: T, pressed: Pressed, keyboard: Keyboard): Read<keyof T & string> {
  const meant = alternativesOf(table).filter(({ strokes: [first] }) => isMeant(first, pressed, keyboard));
  return {
    complete: meant.filter(({ strokes }) => strokes.length === 1).map(({ id }) => id),
    begun: meant.find(({ strokes }) => strokes.length > 1)?.strokes[0] ?? null,
  };
}

/** The shortcuts whose second stroke this is, after the one that was begun. */
export const secondOf = <T extends ShortcutTable>(table: T, pressed: Pressed, begun: string, keyboard: Keyboard): (keyof T & string)[] =>
  alternativesOf(table)
    .filter(({ strokes: [first, second] }) => first === begun && isMeant(second, pressed, keyboard))
    .map(({ id }) => id);
