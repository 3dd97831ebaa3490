import { lazy, type ReactNode, type RefObject, Suspense, useLayoutEffect, useRef } from 'react';

import { TextField } from '../field/Field.js';
import type { ComboboxOwnProps, ComboboxProps, MultiComboboxProps } from './props.js';

export type { ComboboxItem } from './props.js';

// Half the weight of a small page: it comes once the page is there.
const ComboboxField = lazy(async () => ({ default: (await import('./ComboboxField.js')).ComboboxField }));
const MultiComboboxField = lazy(async () => ({ default: (await import('./ComboboxField.js')).MultiComboboxField }));

/** One of many choices, found by typing. */
export function Combobox<Name extends string = never>(props: ComboboxProps<Name>): ReactNode {
  const hadFocus = useRef(false);
  return (
    <Suspense fallback={<Waiting {...props} text={props.value?.label ?? ''} hadFocus={hadFocus} />}>
      <ComboboxField {...props} hadFocus={hadFocus} />
    </Suspense>
  );
}

/** Some of many choices, found by typing; those chosen stand in the field and can be taken away. */
export function MultiCombobox<Name extends string = never>(props: MultiComboboxProps<Name>): ReactNode {
  const hadFocus = useRef(false);
  return (
    <Suspense fallback={<Waiting {...props} text={props.value.map((item) => item.label).join(', ')} hadFocus={hadFocus} />}>
      <MultiComboboxField {...props} hadFocus={hadFocus} />
    </Suspense>
  );
}

interface WaitingProps extends Pick<ComboboxOwnProps<never>, 'label' | 'hint' | 'hideLabel' | 'placeholder' | 'disabled'> {
  /** The choice in words. */
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
  return <TextField ref={input} value={text} readOnly aria-busy {...{ label, hint, hideLabel, placeholder, disabled }} />;
}
