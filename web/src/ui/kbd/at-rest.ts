/** True if no control has the focus, as on a page that has just appeared: its keys are then those of its main part. */
export const isAtRest = (target: EventTarget | null): boolean => target instanceof Element && target.matches('body, h1, main');
