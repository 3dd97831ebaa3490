import { makeOpening } from '../../ui/opening.js';

/** The palette, as buttons and keys open it. It stands once in the shell: see Palette. */
export const palette = makeOpening();

/** Loads its code: ahead when a pointer comes near a button of it. */
export const loadPalette = async (): Promise<typeof import('./PaletteSurface.js')> => import('./PaletteSurface.js');
