import { type ReactNode, useState } from 'react';

import { EVENT_KINDS, eventKindName } from '../../parts/events/kinds.js';
import { Checkbox } from '../../ui/checkbox/Checkbox.js';
import { t } from './texts.js';
import css from './Webhooks.module.css';
import { type Field, kindsIn } from './webhook-form.js';

/** Chooses kinds of events. A form holds one text for them, so the boxes write into a field that is not shown. */
export function KindChoice({ name, value = '' }: { readonly name: Field; readonly value?: string }): ReactNode {
  const [chosen, setChosen] = useState<readonly string[]>(() => kindsIn(value));
  // Kinds that are newer than this page stay chosen.
  const kinds = [...EVENT_KINDS, ...kindsIn(value).filter((kind) => !EVENT_KINDS.some((each) => each === kind))];
  return (
    <fieldset className={css.kinds}>
      <legend className={css.legend}>{t('kinds')}</legend>
      <p className={css.hint}>{t('kinds-hint')}</p>
      <input type="hidden" name={name} value={kinds.filter((kind) => chosen.includes(kind)).join(',')} />
      {kinds.map((kind) => (
        <Checkbox
          key={kind}
          label={eventKindName(kind)}
          checked={chosen.includes(kind)}
          onChange={(event) => setChosen(event.currentTarget.checked ? [...chosen, kind] : chosen.filter((each) => each !== kind))}
        />
      ))}
    </fieldset>
  );
}
