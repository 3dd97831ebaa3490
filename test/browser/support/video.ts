import type { Browser } from 'playwright-core';

/** A film as a browser plays it. */
export interface Film {
  readonly width: number;
  readonly height: number;
  /** Colours (0xRRGGBB) of one place in the frames, one after another, each as long as it stays. */
  readonly colours: readonly number[];
}

/** Largest difference of colours that still look the same: films are compressed. */
const TOLERANCE = 40;

/** Plays a film to its end in a window of its own. `x` and `y` name the place as shares of the picture's size. */
export async function playFilm(browser: Browser, film: Buffer, x: number, y: number): Promise<Film> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    return await page.evaluate<Film>(`(async () => {
      const bytes = Uint8Array.from(atob(${JSON.stringify(film.toString('base64'))}), (character) => character.charCodeAt(0));
      const video = document.createElement('video');
      video.muted = true;
      document.body.append(video);
      const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
      const colours = [];
      const look = () => {
        canvas.drawImage(video, -${x} * video.videoWidth, -${y} * video.videoHeight);
        const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data;
        const last = colours.at(-1) ?? -1;
        const differs = [16, 8, 0].some((shift, index) => Math.abs(((last >> shift) & 0xff) - [red, green, blue][index]) > ${TOLERANCE});
        if (last === -1 || differs) colours.push((red << 16) | (green << 8) | blue);
        video.requestVideoFrameCallback(look);
      };
      video.requestVideoFrameCallback(look);
      const ended = new Promise((resolve, reject) => {
        video.addEventListener('ended', resolve);
        video.addEventListener('error', () => reject(new Error('The browser cannot play it: ' + video.error?.message)));
      });
      video.src = URL.createObjectURL(new Blob([bytes], { type: 'video/webm' }));
      await video.play();
      await ended;
      return { width: video.videoWidth, height: video.videoHeight, colours };
    })()`);
  } finally {
    await context.close();
  }
}

/** True for colours that look the same. */
export const looksLike = (colour: number, other: number): boolean =>
  [16, 8, 0].every((shift) => Math.abs(((colour >> shift) & 0xff) - ((other >> shift) & 0xff)) <= TOLERANCE);
