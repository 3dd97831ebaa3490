import { Children, type ReactNode } from 'react';

import type { ServerOption, SettingsFinding, SettingsState } from '../../api/system/server-settings.js';
import { Badge } from '../../ui/badge/Badge.js';
import { CopyButton } from '../../ui/copy/CopyButton.js';
import frame from '../../ui/frames/Panel.module.css';
import { Status } from '../../ui/status/Status.js';
import { PartHead } from '../../ui/part-list/PartList.js';
import css from './ServerSettings.module.css';
import { withCode } from './states.js';
import { t } from './texts.js';

const LOOKS = { SetUp: 'online', NotSetUp: 'offline', NeedsAttention: 'warning' } as const;

/** State of a part of the settings, as a shape and words. */
export function State({ of: state }: { readonly of: SettingsState }): ReactNode {
  return <Status look={LOOKS[state]}>{t(`state-${state}`)}</Status>;
}

interface PartProps {
  /** Name of the part in the page, for its heading. */
  readonly name: string;
  readonly title: string;
  readonly state?: SettingsState;
  readonly children: ReactNode;
}

/** A part of the settings with its state. */
export function Part({ name, title, state, children }: PartProps): ReactNode {
  return (
    <section className={frame.panel} aria-labelledby={name}>
      <PartHead>
        <h2 id={name}>{title}</h2>
        {state !== undefined && <State of={state} />}
      </PartHead>
      {children}
    </section>
  );
}

/** The notes for an administrator about a part. */
export function Findings({ of: findings }: { readonly of: readonly { readonly kind: SettingsFinding }[] }): ReactNode {
  if (findings.length === 0) return null;
  return (
    <ul className={css.findings}>
      {findings.map(({ kind }) => (
        <li key={kind}>{t(`finding-${kind}`)}</li>
      ))}
    </ul>
  );
}

/** The options of a part: open where something is to be set. */
export function Options({ of: options, open }: { readonly of: readonly ServerOption[]; readonly open: boolean }): ReactNode {
  return (
    <details className={css.options} open={open}>
      <summary>{t('options')}</summary>
      <ul>
        {options.map((option) => (
          <li key={option.key} className={css.option}>
            <div className={css.line}>
              <span className={css.variable}>
                <code>{option.variable}</code>
                <CopyButton text={option.variable} label={t('variable-copy', { name: option.variable })} />
              </span>
              <span className={css.value}>
                <Value of={option} />
              </span>
            </div>
            <p className="muted">
              {Children.toArray(withCode(option.meaning).map((part, at) => (at % 2 === 1 ? <code>{part}</code> : part)))}
            </p>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Value({ of: { isMissing, isSecret, isSet, isDefault, value } }: { readonly of: ServerOption }): ReactNode {
  if (isMissing) return <Badge look="warn">{t('value-missing')}</Badge>;
  if (!isSet) return <span className="muted">{t('value-none')}</span>;
  if (isSecret || value === null) return t('value-secret');
  return isDefault ? <span className="muted">{t('value-default', { value })}</span> : <code>{value}</code>;
}
