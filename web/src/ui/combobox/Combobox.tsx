import { lazy, type ReactNode, type RefObject, Suspense, useLayoutEffect, useRef } from 'react';

import { TextField } from '../field/Field.js';

// Half of what a small page weighs: it comes once the page is there.
const ComboboxField = lazy(async () => ({ default: (await import('./ComboboxField.js')).ComboboxField }));
const MultiComboboxField = lazy(async () => ({ default: (await import('./ComboboxField.js')).MultiComboboxField }));

export interface ComboboxItem {
  /** What the form sends. */
  readonly value: string;
  readonly label: string;
  /** A second line that tells items of the same label apart. */
  readonly detail?: string;
}

export interface ComboboxOwnProps {
  readonly name: string;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly hideLabel?: boolean;
  readonly placeholder?: string;
  readonly disabled?: boolean;
  readonly required?: boolean;
  /** All choices; with `onSearch` those that were found. */
  readonly items: readonly ComboboxItem[];
  /** Searches elsewhere: called with the text once typing rests. Without it the given items are filtered. */
  readonly onSearch?: (text: string) => void;
  /** The search is under way. */
  readonly busy?: boolean;
  /** What the search failed with. */
  readonly error?: unknown;
}

export interface ComboboxProps extends ComboboxOwnProps {
  readonly value: ComboboxItem | null;
  readonly onValueChange: (item: ComboboxItem | null) => void;
}

export interface MultiComboboxProps extends ComboboxOwnProps {
  readonly value: readonly ComboboxItem[];
  readonly onValueChange: (items: ComboboxItem[]) => void;
}

/** One of many choices, found by typing. */
export function Combobox(props: ComboboxProps): ReactNode {
  const hadFocus = useRef(false);
  return (
    <Suspense fallback={<Waiting {...props} text={props.value?.label ?? ''} hadFocus={hadFocus} />}>
      <ComboboxField {...props} hadFocus={hadFocus} />
    </Suspense>
  );
}

/** Some of many choices, found by typing; those chosen stand in the field and can be taken away. */
export function MultiCombobox(props: MultiComboboxProps): ReactNode {
  const hadFocus = useRef(false);
  return (
    <Suspense fallback={<Waiting {...props} text={props.value.map((item) => item.label).join(', ')} hadFocus={hadFocus} />}>
      <MultiComboboxField {...props} hadFocus={hadFocus} />
    </Suspense>
  );
}

interface WaitingProps extends Pick<ComboboxOwnProps, 'label' | 'hint' | 'hideLabel' | 'placeholder' | 'disabled'> {
  /** What is chosen, in words. */
  readonly text: string;
  readonly hadFocus: RefObject<boolean>;
}

/** Stands where the field will be while its code is loaded. It has no name: a form does not send its text. */
function Waiting({ label, hint, hideLabel, placeholder, disabled, text, hadFocus }: WaitingProps): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(
    () => () => {
      hadFocus.current = input.current !== null && input.current === document.activeElement;
    },
    [hadFocus],
  );
  return <TextField ref={input} name="" value={text} readOnly aria-busy {...{ label, hint, hideLabel, placeholder, disabled }} />;
}
