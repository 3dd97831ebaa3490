import { type ReactNode, useEffect } from 'react';

import { useEarlyKeys } from '../../keyboard/use-shortcuts.js';
import { startHub, watchPage } from '../../live/hub.js';
import { Dock } from '../dock/Dock.js';
import { Sheet } from '../keyboard/Sheet.js';
import { Palette } from '../palette/Palette.js';
import { Proof } from '../sign-in/Proof.js';
import { useSignOutElsewhere } from './sign-out.js';
import { usePageShortcuts } from './use-page-shortcuts.js';

/** Milliseconds after which the first rows are there: nothing on the screen waits for the live connection. */
const AFTER_THE_FIRST_ROWS = 500;

/** What no page needs to be seen: the live connection, the dock, the keys, and what opens over every page. Its code comes after the shell's. */
export function Later(): ReactNode {
  usePageShortcuts();
  useEarlyKeys();
  useSignOutElsewhere();
  useEffect(() => {
    const timer = setTimeout(() => void startHub(), AFTER_THE_FIRST_ROWS);
    const stopWatching = watchPage();
    return () => {
      clearTimeout(timer);
      stopWatching();
    };
  }, []);
  return (
    <>
      <Dock />
      <Palette />
      <Sheet />
      <Proof />
    </>
  );
}
