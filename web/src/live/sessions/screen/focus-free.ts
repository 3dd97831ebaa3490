/**
 * True while the user works on nothing of the page: then a screen that comes, or comes back, may take the focus. Otherwise what is being typed
 * elsewhere, such as a password, would go to the device.
 */
export const isFocusFree = (): boolean => document.activeElement?.matches('body, h1') ?? true;
