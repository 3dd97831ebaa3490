/** What a file says while it is dragged out of the browser: Chromium then downloads it to where it is dropped. Others drop its address. */
export const draggedFile = (name: string, address: string): string => `application/octet-stream:${name.replaceAll(':', '_')}:${address}`;
