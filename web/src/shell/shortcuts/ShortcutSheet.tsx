import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';

import { PLACES, type Place, type ShortcutId } from '../../keyboard/shortcuts.js';
import { Dialog } from '../../ui/dialog/Dialog.js';
import { Kbd } from '../../ui/kbd/Kbd.js';
import { singleKeysAreOn } from '../../ui/kbd/shortcuts.js';
import { sheet } from '../../keyboard/sheet.js';
import css from './ShortcutSheet.module.css';
import { t } from './texts.js';

/** Every shortcut, under the place where it holds. */
export function ShortcutSheet({ open }: { readonly open: boolean }): ReactNode {
  return (
    <Dialog open={open} onClose={sheet.close} title={t('title')} wide>
      <div className={css.places}>
        {(Object.keys(PLACES) as Place[]).map((place) => (
          <section key={place} className={css.place}>
            <h3 className={css.heading}>{t(`place-${place}`)}</h3>
            <dl>
              {(Object.entries(PLACES[place]) as [ShortcutId, readonly string[]][]).map(([id, alternatives]) => (
                <div key={id} className={css.row}>
                  <dt>{t(id)}</dt>
                  <dd className={css.keys}>
                    {alternatives.map((keys, index) => (
                      <Fragment key={keys}>
                        {index > 0 && <span className="faint">{t('or')}</span>}
                        <Kbd keys={keys} />
                      </Fragment>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p className="muted">
        {singleKeysAreOn() ? t('single-on') : t('single-off')}{' '}
        <Link to="/account/preferences" className="link" onClick={sheet.close}>
          {t('preferences')}
        </Link>
      </p>
    </Dialog>
  );
}
