import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { Search } from 'lucide';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';

import { useSession } from '../../access/session.js';
import { problemOf } from '../../problem/problem.js';
import dialogCss from '../../ui/dialog/Dialog.module.css';
import { useFinalFocus } from '../../ui/dialog/focus.js';
import type { Opener } from '../../ui/dialog/opener.js';
import { Icon } from '../../ui/icon/Icon.js';
import { Kbd } from '../../ui/kbd/Kbd.js';
import { describeProblem } from '../../ui/problem-text.js';
import css from './PaletteSurface.module.css';
import type { Row, RowGroup } from './row.js';
import { useRows } from './rows.js';
import { t } from './texts.js';
import { readTyped } from './typed.js';

/** Typing rests this long before the service is asked. */
const SETTLED = 250;

interface PaletteSurfaceProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly opener: Opener;
}

/** The palette itself. See Palette. */
export function PaletteSurface({ open, onClose, opener }: PaletteSurfaceProps): ReactNode {
  const popup = useRef<HTMLDivElement>(null);
  const finalFocus = useFinalFocus(popup, opener);
  return (
    <Dialog.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={dialogCss.backdrop} />
        <Dialog.Popup className={css.popup} aria-label={t('title')} ref={popup} finalFocus={finalFocus}>
          <Choices onClose={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Stands within the dialog, so that the typed text is gone with it. */
function Choices({ onClose }: { readonly onClose: () => void }): ReactNode {
  const isForOneDevice = useSession().deviceId !== null;
  const [text, setText] = useState('');
  const typed = readTyped(text);
  const [hasMoved, setHasMoved] = useState(false);
  const [isEntered, setIsEntered] = useState(false);
  const rested = useSettled(typed.text);
  const settled = isEntered ? typed.text : rested;
  const { groups, isBusy, error } = useRows(typed, settled);
  const isSearching = isBusy || (typed.mode === 'all' && settled !== typed.text);
  const hasFailed = error !== null && error !== undefined;
  const take = useEffectEvent(({ disabled, run }: Row) => {
    if (disabled === true) return;
    onClose();
    run();
  });
  const [first] = groups[0]?.items ?? [];
  useEffect(() => {
    if (!isEntered || isSearching) return;
    setIsEntered(false);
    // Until the devices are found, the first row may not be the one that the user means.
    if (first !== undefined && !hasFailed) take(first);
  }, [isEntered, isSearching, first, hasFailed]);
  return (
    <Autocomplete.Root
      open
      inline
      mode="none"
      items={groups}
      value={text}
      onValueChange={(next, { reason }) => {
        if (reason === 'item-press') return;
        setText(next);
        setHasMoved(false);
        setIsEntered(false);
      }}
      onItemHighlighted={(_, { reason }) => setHasMoved((moved) => moved || reason === 'keyboard')}
      itemToStringValue={(row: Row) => row.label}
      autoHighlight="always"
      keepHighlight
    >
      <div className={css.field}>
        <Icon of={Search} />
        <Autocomplete.Input
          className={css.input}
          aria-label={t('title')}
          placeholder={isForOneDevice ? t('placeholder-device') : t('placeholder')}
          maxLength={256}
          data-initial-focus
          onKeyDown={(event) => {
            // The marked row may still match an earlier text. Enter waits for the answer, unless the arrow keys have chosen a row.
            if (event.key !== 'Enter' || !isSearching || hasMoved) return;
            event.preventBaseUIHandler();
            setIsEntered(true);
          }}
        />
      </div>
      <Autocomplete.Status className={css.status}>
        {hasFailed ? describeProblem(problemOf(error)) : isSearching ? t('searching') : ''}
      </Autocomplete.Status>
      <Autocomplete.Empty>{!isSearching && groups.length === 0 && <div className={css.empty}>{t('nothing')}</div>}</Autocomplete.Empty>
      <Autocomplete.List className={css.list}>
        {(group: RowGroup) => (
          <Autocomplete.Group key={group.value} items={group.items}>
            <Autocomplete.GroupLabel className={css.heading}>{group.value}</Autocomplete.GroupLabel>
            <Autocomplete.Collection>{(row: Row) => <Choice key={row.id} row={row} onClose={onClose} />}</Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
      {!isForOneDevice && (
        <p className={css.foot}>
          {(['actions', 'users', 'tags'] as const).map((mode) => (
            <span key={mode}>{t(`prefix-${mode}`)}</span>
          ))}
          <span>{t('prefix-why')}</span>
        </p>
      )}
    </Autocomplete.Root>
  );
}

function Choice({ row, onClose }: { readonly row: Row; readonly onClose: () => void }): ReactNode {
  const { label, detail, icon, keys, disabled, run } = row;
  return (
    <Autocomplete.Item
      value={row}
      className={css.item}
      disabled={disabled}
      onClick={() => {
        onClose();
        run();
      }}
    >
      <Icon of={icon} />
      <span className={css.label}>
        {label}
        {detail !== undefined && <span className={css.detail}>{detail}</span>}
      </span>
      {keys !== undefined && <Kbd keys={keys} />}
    </Autocomplete.Item>
  );
}

/** The value once it has stayed the same for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLED);
    return () => clearTimeout(timer);
  }, [value]);
  return value === '' ? '' : settled;
}
