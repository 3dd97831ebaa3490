import { PanelLeftClose, PanelLeftOpen } from 'lucide';
import { type ReactNode, useState } from 'react';

import { changeAppearance, readAppearance } from '../../access/appearance.js';
import { classes } from '../../ui/classes.js';
import { Icon } from '../../ui/icon/Icon.js';
import { useMedia } from '../../ui/media.js';
import css from './Navigation.module.css';
import { t } from './later-texts.js';

/** Where the navigation shows icons unless the user wants its names, as `tokens.css` has it. */
const isNarrow = '(max-width: 1199px)';

/** Changes between names and icons. What the width of the window suggests anyway is not kept. */
export function NavigationToggle(): ReactNode {
  const suggested = useMedia(isNarrow) ? 'icons' : 'names';
  const [kept, setKept] = useState(() => readAppearance().navigation);
  const shown = kept ?? suggested;
  const other = shown === 'names' ? 'icons' : 'names';
  return (
    <button
      type="button"
      className={classes(css.link, css.toggle)}
      onClick={() => setKept(changeAppearance({ navigation: other === suggested ? null : other }).navigation)}
    >
      <Icon of={shown === 'names' ? PanelLeftClose : PanelLeftOpen} />
      <span className={css.name}>{t(shown === 'names' ? 'navigation-collapse' : 'navigation-expand')}</span>
    </button>
  );
}
