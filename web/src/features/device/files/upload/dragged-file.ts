/** Drag data of a file that leaves the browser: Chromium downloads it to the drop target. Other browsers drop its address. */
export const draggedFile = (name: string, address: string): string => `application/octet-stream:${name.replaceAll(':', '_')}:${address}`;
