/*
 * The last picture of a lost screen, dimmed, until the next one comes.
 */

/** Makes an element that shows what a canvas holds. The canvas is not used otherwise any more. */
export function lastPicture(canvas: HTMLCanvasElement, isFitted: boolean): HTMLElement {
  const place = document.createElement('div');
  place.dataset.lastPicture = '';
  Object.assign(place.style, { position: 'absolute', inset: '0', overflow: 'hidden', opacity: '0.4', filter: 'grayscale(1)' });
  place.style.pointerEvents = 'none';
  // It shows the past: a reader of the page is told so by the notice above.
  place.ariaHidden = 'true';
  Object.assign(canvas.style, {
    width: isFitted ? '100%' : 'auto',
    height: isFitted ? '100%' : 'auto',
    objectFit: 'contain',
    cursor: 'default',
  });
  canvas.removeAttribute('tabindex');
  place.append(canvas);
  return place;
}
