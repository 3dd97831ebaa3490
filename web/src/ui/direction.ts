/** True if lines begin at the right at the place of an element. */
export const isRightToLeft = (element: Element): boolean => getComputedStyle(element).direction === 'rtl';
