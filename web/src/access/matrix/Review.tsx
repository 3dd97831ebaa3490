import type { ReactNode } from 'react';

import { Button } from '../../ui/button/Button.js';
import { Form, FormActions } from '../../ui/form/Form.js';
import type { CatalogEntry } from '../permissions.js';
import { t } from '../texts.js';
import css from './AccessMatrix.module.css';
import type { Plan, Scope } from './rules.js';

interface ReviewProps {
  readonly plan: Plan;
  readonly catalog: readonly CatalogEntry[];
  readonly nameOf: (scope: Scope) => string;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onSave: () => void;
  readonly onClose: () => void;
}

/** What a save will do, as sentences. */
export function Review({ plan, catalog, nameOf, busy, error, onSave, onClose }: ReviewProps): ReactNode {
  const permissionName = (name: string): string => catalog.find((each) => each.name === name)?.displayName ?? name;
  return (
    <Form error={error} onSubmit={onSave}>
      <ul className={css.sentences}>
        {plan.creates.map(({ permission, scope, effect }) => (
          <li key={`${permission} ${scope.kind} ${scope.id}`}>
            {t(`create-${effect}`, { permission: permissionName(permission), scope: nameOf(scope) })}
          </li>
        ))}
        {plan.deletes.map(({ id, permissionName: name, effect, scopeKind, scopeId }) => (
          <li key={id}>{t(`delete-${effect}`, { permission: permissionName(name), scope: nameOf({ kind: scopeKind, id: scopeId }) })}</li>
        ))}
      </ul>
      <FormActions>
        <Button onClick={onClose}>{t('back')}</Button>
        <Button type="submit" look="primary" busy={busy}>
          {t('save')}
        </Button>
      </FormActions>
    </Form>
  );
}
