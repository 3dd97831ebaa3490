import type { ReactNode } from 'react';

import { Tag } from '../../ui/tag/Tag.js';
import type { Kind } from './resources.js';

/** The name of a customer, group or tag as it is known by: tags have colours. */
export function EntryName({ kind, name }: { readonly kind: Kind; readonly name: string }): ReactNode {
  return kind === 'tags' ? <Tag name={name} /> : name;
}
