import { type ReactNode, useSyncExternalStore } from 'react';

import type { DesktopSession } from '../../../live/sessions/desktop/desktop-session.js';
import { t } from '../../../live/sessions/desktop/texts.js';
import css from './ScreenPanel.module.css';

const BITS_OF_A_MEGABIT = 1_000_000;

/** Frames, rate and latency of the last second. */
export function DesktopFigures({ desktop }: { readonly desktop: DesktopSession }): ReactNode {
  const figures = useSyncExternalStore(desktop.figures.subscribe, desktop.figures.get);
  if (figures === null) return null;
  const frames = String(figures.frames);
  const rate = ((figures.bytes * 8) / BITS_OF_A_MEGABIT).toFixed(1);
  return (
    <span className={css.figures}>
      {figures.latencyMs === null
        ? t('figures', { frames, rate })
        : t('figures-latency', { frames, rate, latency: String(Math.round(figures.latencyMs)) })}
    </span>
  );
}
