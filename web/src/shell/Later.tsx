import { useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';

import { bringPreferences } from '../access/preferences/account.js';
import { useSession } from '../access/session.js';
import { useEarlyKeys } from '../keyboard/use-shortcuts.js';
import { startHub, watchPage } from '../live/hub.js';
import { watchVersion } from '../live/new-version.js';
import { Dock } from './dock/Dock.js';
import { Sheet } from './shortcuts/Sheet.js';
import { Palette } from './palette/Palette.js';
import { Proof } from '../features/sign-in/Proof.js';
import { useOtherPages } from '../parts/sign-in/sign-out.js';
import { usePageShortcuts } from './use-page-shortcuts.js';

/**
 * Everything that a page can be seen without: the live connection, the preferences of the account, the dock, the shortcuts, and dialogs
 * over every page. Its code is loaded after the shell's.
 */
export function Later(): ReactNode {
  useOtherPages();
  useEffect(() => {
    const stops = [watchPage(), watchVersion()];
    void startHub();
    return () => stops.forEach((stop) => stop());
  }, []);
  const { user, deviceId } = useSession();
  useEffect(() => void bringPreferences(), [user.id, deviceId]);
  const isAlone = useSearch({ strict: false }).alone !== undefined;
  return (
    <>
      {!isAlone && <Ways />}
      <Proof />
    </>
  );
}

/** The ways from page to page: the dock, the palette and the shortcuts. */
function Ways(): ReactNode {
  usePageShortcuts();
  useEarlyKeys();
  return (
    <>
      <Dock />
      <Palette />
      <Sheet />
    </>
  );
}
