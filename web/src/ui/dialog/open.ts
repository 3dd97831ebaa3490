import { createContext } from 'react';

/** False within a dialog or a drawer that has been closed and is still there to fade. */
export const IsOpen = createContext(true);
