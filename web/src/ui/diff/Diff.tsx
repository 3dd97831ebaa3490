import type { ReactNode } from 'react';

import { classes } from '../classes.js';
import tones from '../frames/Tone.module.css';
import { t } from '../later-texts.js';
import { type Change, changesBetween, type Json } from './changes.js';
import css from './Diff.module.css';

interface DiffProps {
  readonly before: Json | undefined;
  readonly after: Json | undefined;
  /** The name of a field for people; without it the field's own. */
  readonly nameOf?: (field: string) => string;
}

/** Two states of a thing, field by field: only those that differ. */
export function Diff({ before, after, nameOf = (field) => field }: DiffProps): ReactNode {
  const changes = changesBetween(before, after);
  if (changes.length === 0) return <p className="muted">{t('no-changes')}</p>;
  return (
    <table className={css.diff}>
      <thead>
        <tr>
          <th scope="col">{t('field')}</th>
          <th scope="col">{t('before')}</th>
          <th scope="col">{t('after')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <Row key={change.field} name={nameOf(change.field)} change={change} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ name, change: { before, after } }: { readonly name: string; readonly change: Change }): ReactNode {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td data-label={t('before')}>{before === null ? <None /> : <del className={classes(css.state, tones.bad)}>{before}</del>}</td>
      <td data-label={t('after')}>{after === null ? <None /> : <ins className={classes(css.state, tones.ok)}>{after}</ins>}</td>
    </tr>
  );
}

function None(): ReactNode {
  return (
    <span className="faint">
      <span aria-hidden>–</span>
      <span className="visually-hidden">{t('none')}</span>
    </span>
  );
}
