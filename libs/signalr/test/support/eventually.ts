const POLL_MS = 10;

/** A deadline for busy machines. Steps that take longer are not merely slow. */
const DEADLINE_MS = 120_000;

/** Most time between two looks that counts, in milliseconds: where it was more, the whole machine stood still. */
const LOOK_MS = 2_000;

/** Waits until the condition holds. After the deadline it fails with the description of what it waited for. */
export async function eventually(what: string, condition: () => boolean | Promise<boolean>, deadlineMs = DEADLINE_MS): Promise<void> {
  let waited = 0;
  let last = performance.now();
  while (!(await condition())) {
    const now = performance.now();
    waited += Math.min(now - last, LOOK_MS);
    last = now;
    if (waited > deadlineMs) throw new Error(`Within ${deadlineMs} ms it did not happen: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Equal readings after which a figure counts as settled. */
const STEADY_LOOKS = 30;

/** Waits until a figure stops changing and returns it, for example the number of items of a stream before it was paused. */
export async function settled(what: string, figure: () => number | Promise<number>): Promise<number> {
  let last = Number.NaN;
  let same = 0;
  await eventually(`${what} no longer changes`, async () => {
    const current = await figure();
    same = current === last ? same + 1 : 0;
    last = current;
    return same >= STEADY_LOOKS;
  });
  return last;
}
