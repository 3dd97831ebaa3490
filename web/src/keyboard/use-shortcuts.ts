import { useEffect, useRef } from 'react';

import { isMac, singleKeysAreOn } from '../ui/kbd/shortcuts.js';
import { takeEarlyKeys } from '../first-load/early-keys.js';
import { opensPalette } from './palette-key.js';
import { LISTENED, type ListenedShortcut } from './shortcuts.js';
import { readStroke, secondOf } from './strokes.js';

/** Acts on a shortcut. False if there is nothing to do: then an earlier handler is asked. */
type Handler = () => boolean | void;
export type Handlers = Partial<Record<ListenedShortcut, Handler>>;

/** The second stroke follows the first within this time. */
const SECOND_STROKE_MS = 1500;
/** Keys that were pressed longer ago are dropped: their user has moved on. */
const EARLY_MS = 3000;

/** Elements in which keys type, choose or steer something: single keys are left to them. */
const OWN_KEYS =
  'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=menu], [role=listbox], [data-own-keys]';
/** Elements in which every key belongs to a device at the other end. */
const FOREIGN_KEYS = '[data-own-keys]';
/** Elements over the page: shortcuts would act behind them. */
const OVER_THE_PAGE = '[role=dialog], [role=alertdialog]';

/** Handlers of all parts of the page, the newest last. */
const handlers = new Set<() => Handlers>();
let begun: { readonly stroke: string; readonly at: number } | null = null;

/** Listens to shortcuts for as long as the component is there. The newest component is asked first. */
export function useShortcuts(given: Handlers): void {
  const latest = useRef(given);
  useEffect(() => {
    latest.current = given;
  });
  useEffect(() => {
    const read = (): Handlers => latest.current;
    if (handlers.size === 0) listen();
    handlers.add(read);
    return () => {
      handlers.delete(read);
      if (handlers.size === 0) stopListening();
    };
  }, []);
}

/** Acts on the keys that were pressed before anything listened. Call it after the handlers of every page. */
export function useEarlyKeys(): void {
  useEffect(() => {
    for (const event of takeEarlyKeys()) {
      const isStillMeant = opensPalette(event) || !event.defaultPrevented;
      if (isStillMeant && performance.now() - event.timeStamp < EARLY_MS && !hearSecond(event)) hearFirst(event);
    }
  }, []);
}

function listen(): void {
  addEventListener('keydown', onSecondStroke, { capture: true });
  addEventListener('keydown', onStroke);
}

function stopListening(): void {
  removeEventListener('keydown', onSecondStroke, { capture: true });
  removeEventListener('keydown', onStroke);
}

/** The second of two strokes takes precedence over the key's own meaning at the focus: `g s` in a list in which `s` opens a screen. */
function onSecondStroke(event: KeyboardEvent): void {
  if (!hearSecond(event)) return;
  event.preventDefault();
  event.stopPropagation();
}

function onStroke(event: KeyboardEvent): void {
  if (!event.defaultPrevented && hearFirst(event)) event.preventDefault();
}

/** Acts on a stroke after the one before it. False if the two mean nothing. */
function hearSecond(event: KeyboardEvent): boolean {
  if (begun === null || event.key === 'Shift') return false;
  const { stroke, at } = begun;
  begun = null;
  if (event.timeStamp - at > SECOND_STROKE_MS || !hasSingleKeys(event)) return false;
  return runOneOf(secondOf(LISTENED, event, stroke, { isMac, singleKeys: true }));
}

/** Acts on a stroke alone. False if it means nothing. */
function hearFirst(event: KeyboardEvent): boolean {
  if (event.isComposing || !isHeard(event)) return false;
  const read = readStroke(LISTENED, event, { isMac, singleKeys: hasSingleKeys(event) });
  if (read.begun !== null) begun = { stroke: read.begun, at: event.timeStamp };
  return runOneOf(read.complete);
}

const isWithin = ({ target }: KeyboardEvent, selector: string): boolean => target instanceof Element && target.closest(selector) !== null;

/** True if shortcuts hold at the focus. In a terminal, Ctrl and a letter are for the program in it; the command key of a Mac is not. */
const isHeard = (event: KeyboardEvent): boolean =>
  (event.metaKey || !isWithin(event, FOREIGN_KEYS)) && document.querySelector(OVER_THE_PAGE) === null;

const hasSingleKeys = (event: KeyboardEvent): boolean => singleKeysAreOn() && !isWithin(event, OWN_KEYS) && isHeard(event);

function runOneOf(ids: readonly ListenedShortcut[]): boolean {
  const byNewest = [...handlers].reverse();
  return ids.some((id) =>
    byNewest.some((handlersOf) => {
      const handler = handlersOf()[id];
      return handler !== undefined && handler() !== false;
    }),
  );
}
