import type { Wish } from '../../features/devices/acts/ActRun.js';
import { store } from '../../state/store.js';

/** Something that a choice of the palette opens over the page. */
export type PaletteDialog = { readonly kind: 'act'; readonly wish: Wish } | { readonly kind: 'invite'; readonly at: number };

export const paletteDialog = store<PaletteDialog | null>(null, 'goes');

/** Opens another invitation, also after one whose link is still shown. */
export const openInvitation = (): void => paletteDialog.set({ kind: 'invite', at: Date.now() });
