import { type ReactNode, useState } from 'react';

import { Button } from '../../../ui/button/Button.js';
import type { ComboboxItem } from '../../../ui/combobox/Combobox.js';
import { Dialog } from '../../../ui/dialog/Dialog.js';
import { Form } from '../../../ui/form/Form.js';
import { FormActions } from '../../../ui/form/FormActions.js';
import { MenuButton } from '../../../ui/menu/MenuButton.js';
import type { CatalogEntry, Preset } from '../../../api/access/permission-assignments.js';
import { Select } from '../../../ui/select/Select.js';
import { t } from '../texts.js';
import css from './AccessMatrix.module.css';
import { type Changes, type Content, type Contents, contentOf, effectOf, withAllow } from './contents.js';
import type { Names } from './names.js';
import { type Cell, cellKey, type Scope, scopeKey } from '../../../model/permissions/scopes.js';
import type { PickedScope } from './columns.js';
import { type PickedKind, ScopeField, usePickableKinds } from './ScopePicker.js';

interface PresetMenuProps {
  /** Null while they are not known. */
  readonly presets: readonly Preset[] | null;
  /** Label of the button that adds them. */
  readonly action: string;
  readonly catalog: readonly CatalogEntry[];
  readonly tenantId: string;
  readonly stored: Contents;
  readonly changes: Changes;
  readonly names: Names;
  readonly mayChange: (cell: Cell) => boolean;
  /** Adds cells; `scope` is the column that they stand in, null in the tenant. */
  readonly onAdd: (cells: readonly Cell[], set: (content: Content, stored: Content) => Content, scope: PickedScope | null) => void;
}

/** Adds the permissions of a preset to the changes, after showing which those are. */
export function PresetMenu({ presets, action, catalog, tenantId, stored, changes, names, mayChange, onAdd }: PresetMenuProps): ReactNode {
  const [preset, setPreset] = useState<Preset | null>(null);
  return (
    <>
      <MenuButton
        label={t('add-preset')}
        entries={(presets ?? []).map((each) => ({ label: each.name, onSelect: () => setPreset(each) }))}
      />
      <Dialog open={preset !== null} onClose={() => setPreset(null)} title={t('preset-title', { name: preset?.name ?? '' })}>
        {preset !== null && (
          <Preview
            {...{ preset, action, catalog, tenantId, stored, changes, names, mayChange }}
            onAdd={(cells, scope) => {
              onAdd(cells, withAllow, scope);
              setPreset(null);
            }}
            onClose={() => setPreset(null)}
          />
        )}
      </Dialog>
    </>
  );
}

type PresetKind = 'Tenant' | Exclude<PickedKind, 'Server'>;

type PreviewProps = Omit<PresetMenuProps, 'onAdd' | 'presets'> & {
  readonly preset: Preset;
  readonly onAdd: (cells: readonly Cell[], scope: PickedScope | null) => void;
  readonly onClose: () => void;
};

function Preview({ preset, action, catalog, tenantId, stored, changes, names, mayChange, onAdd, onClose }: PreviewProps): ReactNode {
  const kinds = usePickableKinds(false);
  const [kind, setKind] = useState<PresetKind>('Tenant');
  const [item, setItem] = useState<ComboboxItem | null>(null);
  const isChosen = kind === 'Tenant' || item !== null;
  const scope: Scope = kind === 'Tenant' ? { kind, id: tenantId } : { kind, id: item?.value ?? '' };
  const isItem = (each: Scope): boolean => item !== null && scopeKey(each) === scopeKey(scope);
  const shownNames: Names = { ...names, scopeName: (each) => (isItem(each) ? (item?.label ?? '') : names.scopeName(each)) };
  const { added, enabled, present, impossible } = effectOf(preset, catalog, scope, stored, changes);
  const wanted = [...added, ...enabled];
  const possible = wanted.filter(mayChange);
  const isDenied = (cell: Cell): boolean => contentOf(cellKey(cell), stored, changes).Deny?.isEnabled === true;
  return (
    <Form onSubmit={() => onAdd(possible, kind === 'Tenant' || item === null ? null : { scope, name: item.label })}>
      <Select
        label={t('preset-scope')}
        options={['Tenant' as const, ...kinds.filter((each) => each !== 'Server')].map((value) => ({ value, label: t(`kind-${value}`) }))}
        value={kind}
        onValueChange={(next) => {
          setKind(next);
          setItem(null);
        }}
      />
      {kind !== 'Tenant' && <ScopeField key={kind} kind={kind} value={item} onValueChange={setItem} />}
      {isChosen && (
        <>
          <Cells title={t('preset-adds', { count: added.filter(mayChange).length })} cells={added.filter(mayChange)} names={shownNames} />
          <Cells
            title={t('preset-enables', { count: enabled.filter(mayChange).length })}
            cells={enabled.filter(mayChange)}
            names={shownNames}
          />
          <Cells
            title={t('preset-denied', { count: possible.filter(isDenied).length })}
            cells={possible.filter(isDenied)}
            names={shownNames}
          />
          <Cells title={t('preset-skips', { count: present.length })} cells={present} names={shownNames} />
          <Cells
            title={t('preset-not-yours', { count: wanted.length - possible.length })}
            cells={wanted.filter((cell) => !possible.includes(cell))}
            names={shownNames}
          />
          {impossible.length > 0 && (
            <section>
              <h3>{t('preset-impossible', { count: impossible.length })}</h3>
              <ul className={css.cells}>
                {impossible.map((name) => (
                  <li key={name}>{names.permissionName(name)}</li>
                ))}
              </ul>
            </section>
          )}
        </>
      )}
      <FormActions>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" look="primary" disabled={!isChosen || possible.length === 0}>
          {action}
        </Button>
      </FormActions>
    </Form>
  );
}

function Cells({ title, cells, names }: { readonly title: string; readonly cells: readonly Cell[]; readonly names: Names }): ReactNode {
  if (cells.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <ul className={css.cells}>
        {cells.map((cell) => (
          <li key={cellKey(cell)}>
            {t('cell-name', { permission: names.permissionName(cell.permission), scope: names.scopeName(cell.scope) })}
          </li>
        ))}
      </ul>
    </section>
  );
}
