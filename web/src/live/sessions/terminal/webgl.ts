let isFast: boolean | undefined;

/**
 * True if the browser draws WebGL with a graphics card. Without one it does so on the processor: slower than it draws elements, while the
 * terminal itself needs the processor.
 */
export function hasFastWebGl(): boolean {
  isFast ??= tryWebGl();
  return isFast;
}

function tryWebGl(): boolean {
  const context = document.createElement('canvas').getContext('webgl2', { failIfMajorPerformanceCaveat: true });
  // A page may have only some contexts at a time.
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return context !== null;
}
