const POLL_MS = 10;

/** A deadline for busy machines. Steps that take longer are not merely slow. */
const DEADLINE_MS = 60_000;

/** Waits until the condition holds. After the deadline it fails with the description of what it waited for. */
export async function eventually(what: string, condition: () => boolean | Promise<boolean>, deadlineMs = DEADLINE_MS): Promise<void> {
  const end = Date.now() + deadlineMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`Within ${deadlineMs} ms it did not happen: ${what}`);
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
