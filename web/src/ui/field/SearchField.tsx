import { Search, X } from 'lucide';
import { type ReactNode, useEffect, useRef, useState } from 'react';

import { IconButton } from '../button/Button.js';
import { Icon } from '../icon/Icon.js';
import { t } from '../later-texts.js';
import field from './Field.module.css';
import css from './SearchField.module.css';

/** Typing rests this long before the search starts. */
const SETTLED = 250;

interface SearchFieldProps {
  /** Object of the search: "Search devices". */
  readonly label: string;
  readonly placeholder?: string;
  /** The text that the list is filtered by, usually from the address. */
  readonly value: string;
  /** Called with the text once typing rests, and at once by Enter and when the focus leaves the field. */
  readonly onSearch: (text: string) => void;
  readonly disabled?: boolean;
  /** The search of the page, which `/` puts the focus into. */
  readonly isMain?: boolean;
}

/** Filters a list by a text. */
export function SearchField({ label, placeholder = label, value, onSearch, disabled, isMain = true }: SearchFieldProps): ReactNode {
  const [text, setText] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  // The value that was last passed on, which comes back a little later. Another one comes from elsewhere, such as Back or "Clear filters",
  // and replaces the typed text.
  const [known, setKnown] = useState(value);
  const [given, setGiven] = useState(value);
  if (value !== given) {
    setGiven(value);
    if (value !== known) {
      setKnown(value);
      setText(value);
    }
  }
  const search = (next: string): void => {
    setKnown(next);
    onSearch(next);
  };
  useEffect(() => {
    if (text === known) return undefined;
    const timer = setTimeout(() => search(text), SETTLED);
    return () => clearTimeout(timer);
  });
  return (
    <div className={css.search} role="search" aria-label={label}>
      <Icon of={Search} className={css.icon} />
      <input
        ref={input}
        type="search"
        className={`${field.input} ${css.input}`}
        aria-label={label}
        aria-keyshortcuts={isMain ? '/' : undefined}
        data-page-search={isMain || undefined}
        placeholder={placeholder}
        value={text}
        disabled={disabled}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.currentTarget.value)}
        // A search that starts after a click on a link would take the user back to the list.
        onBlur={() => {
          if (text !== known) search(text);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') search(text);
          if (event.key === 'Escape' && text !== '') {
            event.stopPropagation();
            setText('');
            search('');
          }
        }}
      />
      {text !== '' && (
        <IconButton
          icon={X}
          label={t('clear')}
          className={css.clear}
          onClick={() => {
            setText('');
            search('');
            input.current?.focus();
          }}
        />
      )}
    </div>
  );
}
