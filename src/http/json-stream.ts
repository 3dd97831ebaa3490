import type { Response } from 'express';

/**
 * Writes pages of items as one JSON array, as fast as the reader takes them and never faster: the next page is asked for
 * once the last one has left. A reader that goes away ends the iteration; an error after the first byte reaches the caller,
 * whose filter cuts the connection, so that an array that parses is always whole.
 */
export async function streamJsonArray(response: Response, pages: AsyncIterable<readonly object[]>): Promise<void> {
  response.status(200).type('application/json');
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  let opening = '[';
  for await (const page of pages) {
    if (response.destroyed) return;
    if (page.length === 0) continue;
    const hasRoom = response.write(opening + page.map((item) => JSON.stringify(item)).join(','));
    opening = ',';
    if (!hasRoom && !(await drained(response))) return;
  }
  response.end(opening === '[' ? '[]' : ']');
}

/** Waits until the reader took what was written; false when it went away instead. */
function drained(response: Response): Promise<boolean> {
  if (response.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    const settle = (isOpen: boolean): void => {
      response.off('drain', onDrain);
      response.off('close', onClose);
      resolve(isOpen);
    };
    const onDrain = (): void => settle(true);
    const onClose = (): void => settle(false);
    response.once('drain', onDrain);
    response.once('close', onClose);
  });
}
