import { Children, type ReactNode, useId, useState } from 'react';

import { Banner } from '../banner/Banner.js';
import { Button } from '../button/Button.js';
import { Checkbox } from '../checkbox/Checkbox.js';
import { classes } from '../classes.js';
import { FormActions } from '../form/FormActions.js';
import { t } from '../later-texts.js';
import { CopyButton } from './CopyButton.js';
import css from './CopyField.module.css';

interface CopyFieldProps {
  readonly label: ReactNode;
  readonly value: string;
  readonly hint?: ReactNode;
  /** The label is read aloud only. */
  readonly hideLabel?: boolean;
  /** Shows all lines of a long value instead of one that scrolls. */
  readonly wrap?: boolean;
}

/** A value to take elsewhere: an id, an address, a command. One click selects all of it. */
export function CopyField({ label, value, hint, hideLabel = false, wrap = false }: CopyFieldProps): ReactNode {
  const id = useId();
  return (
    <div className={css.field}>
      <div id={id} className={hideLabel ? 'visually-hidden' : css.label}>
        {label}
      </div>
      <div className={css.box}>
        {/* Scrolls sideways, so the keyboard has to reach it. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <code className={classes(css.value, wrap && css.wrap)} role="group" aria-labelledby={id} tabIndex={0}>
          {wrap ? inWords(value) : value}
        </code>
        <CopyButton text={value} className={css.copy} />
      </div>
      {hint !== undefined && <div className={css.hint}>{hint}</div>}
    </div>
  );
}

/** A text whose lines break between its words, and in a word only where that is longer than a line: `--server` stays whole. */
const inWords = (text: string): ReactNode =>
  Children.toArray(text.split(/(\s+)/).map((part, at) => (at % 2 === 1 ? part : <span className={css.word}>{part}</span>)));

interface ShowOnceProps extends CopyFieldProps {
  /** Called when the user says that the value is stored: close the dialog and drop the value. */
  readonly onStored: () => void;
}

/** A secret that is shown this once, within a page. In a dialog use SecretDialog. */
export function ShowOnce({ onStored, ...field }: ShowOnceProps): ReactNode {
  const [isStored, setStored] = useState(false);
  return (
    <div className="stack">
      <Banner look="warn">{t('shown-once')}</Banner>
      <CopyField {...field} wrap />
      <Checkbox label={t('stored')} checked={isStored} onChange={(event) => setStored(event.currentTarget.checked)} />
      <FormActions>
        <Button look="primary" disabled={!isStored} onClick={onStored}>
          {t('close')}
        </Button>
      </FormActions>
    </div>
  );
}
