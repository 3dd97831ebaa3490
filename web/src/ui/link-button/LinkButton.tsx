import { createLink } from '@tanstack/react-router';
import type { IconNode } from 'lucide';
import type { ComponentPropsWithRef, ReactNode } from 'react';

import { buttonClasses, type ButtonLook } from '../button/Button.js';
import { Icon } from '../icon/Icon.js';

type AnchorProps = ComponentPropsWithRef<'a'> & {
  readonly look?: ButtonLook;
  readonly icon?: IconNode;
};

/** A link to outside of this front end that looks like a button: a download, a documentation. */
export function AnchorButton({ look, icon, className, children, ...anchor }: AnchorProps): ReactNode {
  return (
    <a className={buttonClasses(look, className)} {...anchor}>
      <Icon of={icon} />
      <span>{children}</span>
    </a>
  );
}

/** A link to another page that looks like a button. Takes the properties of `Link`, and `look` and `icon`. */
export const LinkButton = createLink(AnchorButton);
