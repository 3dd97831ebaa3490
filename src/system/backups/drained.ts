interface Drainable {
  on(event: 'drain' | 'close', listener: () => void): unknown;
  removeListener(event: 'drain' | 'close', listener: () => void): unknown;
}

/** Waits until a stream takes more, or has closed. */
export async function drained(stream: Drainable): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = (): void => {
      stream.removeListener('drain', end);
      stream.removeListener('close', end);
      resolve();
    };
    stream.on('drain', end);
    stream.on('close', end);
  });
}
