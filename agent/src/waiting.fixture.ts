/** Time-out for busy machines, in milliseconds. A step that takes longer is not merely slow. */
const DEADLINE_MS = 60_000;
const POLL_MS = 5;

/** Waits until the condition has a value, and returns it. Fails after a minute. */
export async function until<T>(condition: () => T | undefined): Promise<T> {
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    const value = condition();
    if (value !== undefined) return value;
    if (Date.now() > deadline) throw new Error('It did not happen in time.');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Returns true if a process with that id exists. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
