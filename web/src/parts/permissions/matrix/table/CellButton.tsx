import { Check, Minus, SquareDashed, StickyNote, X } from 'lucide';
import type { PointerEvent, ReactNode } from 'react';

import { classes } from '../../../../ui/classes.js';
import { Icon } from '../../../../ui/icon/Icon.js';
import { t } from '../../texts.js';
import css from '../AccessMatrix.module.css';
import type { Place } from './block.js';
import { type CellState, type Content, EFFECTS } from '../contents.js';
import type { Names } from '../names.js';
import type { Cell } from '../../../../model/permissions/scopes.js';
import type { Grant } from '../standing.js';

/** Properties of a button at a place of the table. */
export interface PlaceButtonProps {
  readonly place: Place;
  /** It is part of a selected block. */
  readonly isSelected: boolean;
  readonly isTabStop: boolean;
  readonly isLocked: boolean;
  readonly onFocus: () => void;
  readonly onPointerDown: (event: PointerEvent) => void;
  /** It was pressed, by pointer or by key, with Shift or without. */
  readonly onPress: (isPointer: boolean, isExtending: boolean) => void;
}

const ICONS = { Allow: Check, Deny: X, none: Minus } as const;
const LOOKS = { Allow: css.allow, Deny: css.deny } as const;

interface CellButtonProps extends PlaceButtonProps {
  readonly cell: Cell;
  readonly content: Content;
  /** Grants of groups in this cell. They are changed at the groups. */
  readonly brought: readonly Grant[];
  readonly isChanged: boolean;
  readonly names: Names;
}

/** One permission at one scope: the principal's own assignments, and hollow those of its groups. */
export function CellButton({ cell, content, brought, isChanged, names, ...button }: CellButtonProps): ReactNode {
  const { permissionName, scopeName, groupName } = names;
  const own = EFFECTS.filter((effect) => content[effect] !== null).reverse();
  const notes = own.flatMap((effect) => content[effect]?.notes ?? []);
  const states = [
    ...own.map((effect) => (content[effect]?.isEnabled === true ? t(`state-${effect}`) : t(`disabled-${effect}`))),
    ...brought.map(({ effect, groupId }) => t(`through-${effect}`, { group: groupName(groupId ?? '') })),
    ...notes.map((note) => t('with-note', { note })),
  ];
  const label = t('cell', {
    permission: permissionName(cell.permission),
    scope: scopeName(cell.scope),
    state: states.length === 0 ? t('state-none') : states.join(', '),
  });
  return (
    <PlaceButton {...button} isChanged={isChanged} label={isChanged ? t('cell-changed', { label }) : label}>
      {own.map((effect) => (
        <OwnMark key={effect} effect={effect} isEnabled={content[effect]?.isEnabled === true} />
      ))}
      {brought.map(({ effect, groupId }) => (
        <GroupMark key={`${effect} ${groupId}`} effect={effect} name={groupName(groupId ?? '')} />
      ))}
      {own.length === 0 && brought.length === 0 && <Icon of={Minus} />}
      {notes.length > 0 && <Icon of={StickyNote} className={css.note} size={12} />}
    </PlaceButton>
  );
}

function OwnMark({ effect, isEnabled }: { readonly effect: 'Allow' | 'Deny'; readonly isEnabled: boolean }): ReactNode {
  return (
    <span className={classes(css.mark, isEnabled ? LOOKS[effect] : css.disabled)}>
      <Icon of={ICONS[effect]} />
      {t(`state-${effect}`)}
    </span>
  );
}

function GroupMark({ effect, name }: { readonly effect: 'Allow' | 'Deny'; readonly name: string }): ReactNode {
  return (
    <span className={classes(css.mark, css.hollow, effect === 'Deny' && css.hollowDeny)}>
      <Icon of={ICONS[effect]} size={12} />
      <span className="cut">{name}</span>
    </span>
  );
}

interface CategoryButtonProps extends PlaceButtonProps {
  readonly category: string;
  readonly scopeName: string;
  /** States of the cells below. */
  readonly states: readonly CellState[];
}

/** Sets all permissions of a category at one scope. */
export function CategoryButton({ category, scopeName, states, ...button }: CategoryButtonProps): ReactNode {
  const allowed = states.filter((state) => state === 'Allow').length;
  const denied = states.filter((state) => state === 'Deny').length;
  const [first] = states;
  const icon = states.every((state) => state === first) ? ICONS[first] : SquareDashed;
  const counts = [t('allowed-of', { count: allowed, total: states.length }), ...(denied > 0 ? [t('denied-count', { count: denied })] : [])];
  return (
    <PlaceButton {...button} label={t('category-cell', { category, scope: scopeName, state: counts.join(', ') })}>
      <Icon of={icon} />
      <span className="figures">{allowed + denied === 0 ? '' : `${allowed}/${states.length}`}</span>
    </PlaceButton>
  );
}

function PlaceButton(
  props: PlaceButtonProps & { readonly label: string; readonly isChanged?: boolean; readonly children: ReactNode },
): ReactNode {
  const { place, label, isSelected, isTabStop, isLocked, isChanged = false, onFocus, onPointerDown, onPress, children } = props;
  return (
    <button
      type="button"
      className={classes(css.cell, isChanged && css.changed, isSelected && css.inBlock)}
      title={label}
      aria-disabled={isLocked || undefined}
      data-place={`${place.row} ${place.column}`}
      tabIndex={isTabStop ? 0 : -1}
      onFocus={onFocus}
      onPointerDown={onPointerDown}
      onClick={(event) => {
        // The browser counts clicks of pointers only.
        if (!isLocked) onPress(event.detail > 0, event.shiftKey);
      }}
    >
      <span className="visually-hidden">{label}</span>
      <span className={css.marks} aria-hidden>
        {children}
      </span>
    </button>
  );
}
