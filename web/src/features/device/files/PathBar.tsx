import { ArrowUp, ChevronRight, Pencil } from 'lucide';
import { Fragment, type ReactNode, useRef, useState } from 'react';

import { IconButton } from '../../../ui/button/Button.js';
import { Icon } from '../../../ui/icon/Icon.js';
import css from './PathBar.module.css';
import { crumbsOf, normalized, parentOf } from './paths.js';
import { t } from './texts.js';

interface PathBarProps {
  readonly path: string;
  readonly onGo: (path: string) => void;
  /** Goes to the folder above that in the address, which may be newer than the shown one. */
  readonly onUp: () => void;
}

/** Current folder: a button for each folder on the way, or the path as a text to type. */
export function PathBar({ path, onGo, onUp }: PathBarProps): ReactNode {
  const [isTyping, setTyping] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const crumbs = crumbsOf(path);
  return (
    <div className={css.bar}>
      <IconButton icon={ArrowUp} label={t('up')} disabled={parentOf(path) === null} onClick={onUp} />
      {isTyping ? (
        <form
          className={css.form}
          onSubmit={(event) => {
            event.preventDefault();
            setTyping(false);
            onGo(normalized(input.current?.value.trim() ?? path));
          }}
        >
          <input
            ref={input}
            className={css.input}
            aria-label={t('path')}
            defaultValue={path}
            autoFocus
            spellCheck={false}
            autoComplete="off"
            onFocus={(event) => event.currentTarget.select()}
            onBlur={() => setTyping(false)}
            onKeyDown={(event) => {
              if (event.key === 'Escape') setTyping(false);
            }}
          />
        </form>
      ) : (
        <nav className={css.crumbs} aria-label={t('crumbs')}>
          {crumbs.map((crumb, index) => (
            <Fragment key={crumb.path}>
              {index > 0 && <Icon of={ChevronRight} size={12} />}
              <button
                type="button"
                className={css.crumb}
                aria-current={index === crumbs.length - 1 ? 'location' : undefined}
                onClick={() => onGo(crumb.path)}
              >
                {crumb.name}
              </button>
            </Fragment>
          ))}
          <IconButton icon={Pencil} label={t('edit-path')} small className={css.edit} onClick={() => setTyping(true)} />
        </nav>
      )}
    </div>
  );
}
