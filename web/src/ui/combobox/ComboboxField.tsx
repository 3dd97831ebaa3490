import { Combobox as Base } from '@base-ui/react/combobox';
import { Check, ChevronDown, X } from 'lucide';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

import { classes } from '../classes.js';
import { Field } from '../field/Field.js';
import float from '../frames/Float.module.css';
import { Icon } from '../icon/Icon.js';
import { ProblemText } from '../states/ProblemText.js';
import { t } from '../later-texts.js';
import { t as first } from '../texts.js';
import type { ComboboxItem, ComboboxOwnProps, ComboboxProps, MultiComboboxProps } from './props.js';
import css from './Combobox.module.css';

/** Most choices that are listed at a time; typing finds the others. */
const LISTED = 100;
/** Typing rests this long before the search starts. */
const SETTLED = 250;

interface Focusable {
  /** True if the element that stood here before had the focus. */
  readonly hadFocus: RefObject<boolean>;
}

const isSame = (one: ComboboxItem, other: ComboboxItem): boolean => one.value === other.value;

/** The field of Combobox. */
export function ComboboxField({ value, onValueChange, hadFocus, ...own }: ComboboxProps<string> & Focusable): ReactNode {
  const { name, label, hint, hideLabel, placeholder, disabled, required, items, onSearch } = own;
  const search = useSearch(onSearch);
  const input = useKeptFocus(hadFocus);
  return (
    <Field<string> {...{ name, label, hint, hideLabel }}>
      <Base.Root
        items={items}
        limit={LISTED}
        value={value}
        onValueChange={onValueChange}
        isItemEqualToValue={isSame}
        // A choice is no search for more of it.
        onInputValueChange={(text, { reason }) => search(reason === 'item-press' ? '' : text)}
        {...{ disabled, required, ...(onSearch !== undefined && { filter: null }) }}
      >
        <Base.InputGroup className={css.group}>
          <Base.Input
            ref={input}
            className={css.input}
            placeholder={placeholder}
            // Typing replaces a choice rather than adding to its text.
            onClick={({ currentTarget }) => {
              if (value !== null && currentTarget.value === value.label) currentTarget.select();
            }}
          />
          <Base.Clear className={css.button} aria-label={t('clear')}>
            <Icon of={X} />
          </Base.Clear>
          <Opener />
        </Base.InputGroup>
        <Choices {...own} />
      </Base.Root>
    </Field>
  );
}

/** The field of MultiCombobox. */
export function MultiComboboxField({ value, onValueChange, hadFocus, ...own }: MultiComboboxProps<string> & Focusable): ReactNode {
  const { name, label, hint, hideLabel, placeholder, disabled, required, items, onSearch } = own;
  const search = useSearch(onSearch);
  const input = useKeptFocus(hadFocus);
  return (
    <Field<string> {...{ name, label, hint, hideLabel }}>
      <Base.Root
        multiple
        items={items}
        limit={LISTED}
        value={value}
        onValueChange={onValueChange}
        isItemEqualToValue={isSame}
        onInputValueChange={search}
        {...{ disabled, required, ...(onSearch !== undefined && { filter: null }) }}
      >
        <Base.InputGroup className={css.group}>
          <Base.Chips className={css.chips}>
            {value.map((item) => (
              <Base.Chip key={item.value} className={css.chip} aria-label={item.label}>
                <span className="cut">{item.label}</span>
                <Base.ChipRemove className={css.remove} aria-label={first('remove-name', { name: item.label })}>
                  <Icon of={X} size={12} />
                </Base.ChipRemove>
              </Base.Chip>
            ))}
            <Base.Input ref={input} className={css.input} placeholder={value.length === 0 ? placeholder : undefined} />
          </Base.Chips>
          <Opener />
        </Base.InputGroup>
        <Choices {...own} />
      </Base.Root>
    </Field>
  );
}

function Opener(): ReactNode {
  return (
    <Base.Trigger className={css.button} aria-label={t('choices')}>
      <Icon of={ChevronDown} />
    </Base.Trigger>
  );
}

function Choices({ items, busy = false, error, onSearch }: ComboboxOwnProps<string>): ReactNode {
  const hasFailed = error !== undefined && error !== null;
  const hasNone = !busy && !hasFailed && (onSearch === undefined || items.length === 0);
  return (
    <Base.Portal>
      <Base.Positioner className={float.positioner} sideOffset={4} collisionPadding={8}>
        <Base.Popup className={classes(float.surface, float.soft, float.list, css.popup)} aria-busy={busy || undefined}>
          <Base.Status>
            {busy && <div className={css.note}>{t('searching')}</div>}
            {hasFailed && (
              <div className={css.failure}>
                <ProblemText error={error} />
              </div>
            )}
          </Base.Status>
          <Base.Empty>{hasNone && <div className={css.note}>{t('no-match')}</div>}</Base.Empty>
          {!busy && onSearch === undefined && items.length > LISTED && <div className={css.note}>{t('type-for-more')}</div>}
          <Base.List>
            {(item: ComboboxItem) => (
              <Base.Item key={item.value} className={float.item} value={item}>
                <span className={float.text}>
                  {item.label}
                  {item.detail !== undefined && <span className={float.detail}>{item.detail}</span>}
                </span>
                <Base.ItemIndicator className={css.check}>
                  <Icon of={Check} />
                </Base.ItemIndicator>
              </Base.Item>
            )}
          </Base.List>
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  );
}

/** A function that takes the typed text, and passes it on once typing rests. */
function useSearch(onSearch: ((text: string) => void) | undefined): (text: string) => void {
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    if (text === null || onSearch === undefined) return undefined;
    const timer = setTimeout(() => {
      setText(null);
      onSearch(text);
    }, SETTLED);
    return () => clearTimeout(timer);
  }, [text, onSearch]);
  return setText;
}

/** The input takes the focus that its place had. */
function useKeptFocus(hadFocus: RefObject<boolean>): RefObject<HTMLInputElement | null> {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (hadFocus.current) input.current?.focus();
  }, [hadFocus]);
  return input;
}
