import { PanelLeftClose, PanelLeftOpen } from 'lucide';
import { type ReactNode, useState } from 'react';

import { classes } from '../../ui/classes.js';
import { Icon } from '../../ui/icon/Icon.js';
import { useMedia } from '../../ui/media.js';
import css from './Navigation.module.css';
import { t } from '../later-texts.js';

/** Windows in which the navigation shows icons unless the user wants its names, as `tokens.css` has it. */
const isNarrow = '(max-width: 1199px)';

type Shown = 'names' | 'icons';

/** Browser's key for the contents of the navigation. They belong to the size of the window, not to the account. */
const KEY = 'navigation';

/** The user's choice for the navigation, as `theme.js` found it; null for as much as the window has room for. */
const wanted = (): Shown | null => (document.documentElement.dataset[KEY] as Shown | undefined) ?? null;

function want(shown: Shown | null): void {
  if (shown === null) {
    localStorage.removeItem(KEY);
    delete document.documentElement.dataset[KEY];
  } else {
    localStorage.setItem(KEY, shown);
    document.documentElement.dataset[KEY] = shown;
  }
}

/** Changes between names and icons. A choice that the width of the window suggests anyway is not kept. */
export function NavigationToggle(): ReactNode {
  const suggested = useMedia(isNarrow) ? 'icons' : 'names';
  const [kept, setKept] = useState(wanted);
  const shown = kept ?? suggested;
  const other = shown === 'names' ? 'icons' : 'names';
  const change = (): void => {
    want(other === suggested ? null : other);
    setKept(wanted());
  };
  return (
    <button type="button" className={classes(css.link, css.toggle)} onClick={change}>
      <Icon of={shown === 'names' ? PanelLeftClose : PanelLeftOpen} />
      <span className={css.name}>{t(shown === 'names' ? 'navigation-collapse' : 'navigation-expand')}</span>
    </button>
  );
}
