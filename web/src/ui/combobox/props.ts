import type { ReactNode } from 'react';
import type { FieldName } from '../form/field-name.js';

export interface ComboboxItem {
  /** Value that the form sends. */
  readonly value: string;
  readonly label: string;
  /** A second line that tells items of the same label apart. */
  readonly detail?: string;
}

export interface ComboboxOwnProps {
  readonly name: FieldName;
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

export interface ComboboxProps extends ComboboxOwnProps {
  readonly value: ComboboxItem | null;
  readonly onValueChange: (item: ComboboxItem | null) => void;
}

export interface MultiComboboxProps extends ComboboxOwnProps {
  readonly value: readonly ComboboxItem[];
  readonly onValueChange: (items: ComboboxItem[]) => void;
}
