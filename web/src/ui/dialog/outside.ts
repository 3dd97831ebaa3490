/** True if a click was in a toast: Undo and the like are not outside of a dialog. */
export const isInToast = ({ target }: Event): boolean => target instanceof Element && target.closest('[data-toasts]') !== null;
