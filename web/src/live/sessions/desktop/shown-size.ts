/** Size of the shown picture: the place that it has, or a pixel there is a pixel here. */
export type Zoom = 'fit' | 'actual';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size in which a display is shown, in pixels of the page. `density` is the number of screen pixels in one of these. */
export function shownSize(display: Size, room: Size, zoom: Zoom, density: number): Size {
  const scale = zoom === 'actual' ? 1 / density : Math.min(room.width / display.width, room.height / display.height);
  return { width: Math.floor(display.width * scale), height: Math.floor(display.height * scale) };
}
