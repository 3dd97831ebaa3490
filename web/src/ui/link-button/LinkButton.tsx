import { createLink } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import type { ComponentPropsWithRef, ReactNode } from 'react';

import { buttonClasses, type ButtonLook } from '../button/Button.js';

type AnchorProps = ComponentPropsWithRef<'a'> & {
  readonly look?: ButtonLook;
  readonly icon?: LucideIcon;
};

/** A link to outside of this front end that looks like a button: a download, a documentation. */
export function AnchorButton({ look, icon: Icon, className, children, ...anchor }: AnchorProps): ReactNode {
  return (
    <a className={buttonClasses(look, className)} {...anchor}>
      {Icon !== undefined && <Icon size={16} strokeWidth={1.75} aria-hidden />}
      <span>{children}</span>
    </a>
  );
}

/** A link to another page that looks like a button. Takes what `Link` takes, and `look` and `icon`. */
export const LinkButton = createLink(AnchorButton);
