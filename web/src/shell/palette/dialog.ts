import type { Wish } from '../../features/devices/acts/ActRun.js';
import { store } from '../../state/store.js';

/** The acts of the palette that are under way. */
export const paletteActs = store<readonly Wish[]>([], 'goes');

export const beginAct = (wish: Wish): void => paletteActs.set([...paletteActs.get(), wish]);
export const endAct = (wish: Wish): void => paletteActs.set(paletteActs.get().filter((each) => each !== wish));

/** Number of the invitation that the palette has opened over the page; null before the first one. */
export const paletteInvitation = store<number | null>(null, 'goes');

/** Opens another invitation, also after one whose link is still shown. */
export const openInvitation = (): void => paletteInvitation.set((paletteInvitation.get() ?? 0) + 1);
