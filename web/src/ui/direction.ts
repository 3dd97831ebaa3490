/** Whether lines begin at the right where an element stands. */
export const isRightToLeft = (element: Element): boolean => getComputedStyle(element).direction === 'rtl';
