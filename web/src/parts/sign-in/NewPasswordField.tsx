import { Check, Dot } from 'lucide';
import { type ReactNode, useState } from 'react';

import { classes } from '../../ui/classes.js';
import { PasswordField } from '../../ui/field/Field.js';
import { Icon } from '../../ui/icon/Icon.js';
import css from './NewPasswordField.module.css';
import { checkPassword } from './password-rules.js';
import { t } from './texts.js';

/** A password that is chosen, with the rules ticked off while it is typed. */
export function NewPasswordField<Name extends string = never>({
  name,
  label,
  autoFocus,
}: {
  readonly name: NoInfer<Name>;
  readonly label: string;
  readonly autoFocus?: boolean;
}): ReactNode {
  const [password, setPassword] = useState('');
  return (
    <div className={css.field}>
      <PasswordField<Name>
        name={name}
        label={label}
        autoComplete="new-password"
        required
        minLength={8}
        maxLength={100}
        autoFocus={autoFocus}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <ul className={css.rules} aria-label={t('rules')}>
        {checkPassword(password).map(({ rule, isKept }) => (
          <li key={rule} className={classes(isKept && css.kept)}>
            {isKept ? <Icon of={Check} size={12} /> : <Icon of={Dot} size={12} />}
            {t(rule)}
            {isKept && <span className="visually-hidden">{t('rule-kept')}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}
