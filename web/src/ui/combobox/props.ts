import type { ReactNode } from 'react';

export interface ComboboxItem {
  /** Value that the form sends. */
  readonly value: string;
  readonly label: string;
  /** A second line that tells items of the same label apart. */
  readonly detail?: string;
}

export interface ComboboxOwnProps<Name extends string> {
  /** Name in the values of the form; none for a field that no form sends. */
  readonly name?: NoInfer<Name>;
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
  /** Error of the search. */
  readonly error?: unknown;
}

export interface ComboboxProps<Name extends string> extends ComboboxOwnProps<Name> {
  readonly value: ComboboxItem | null;
  readonly onValueChange: (item: ComboboxItem | null) => void;
}

export interface MultiComboboxProps<Name extends string> extends ComboboxOwnProps<Name> {
  readonly value: readonly ComboboxItem[];
  readonly onValueChange: (items: ComboboxItem[]) => void;
}
