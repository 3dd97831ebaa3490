import { makeOpening } from '../ui/opening.js';

/** The sheet of all shortcuts, as `?` and menus open it. It stands once in the shell: see Sheet. */
export const sheet = makeOpening();
