const POLL_MS = 10;

/** For machines that have much else to do: what takes longer than this has not merely been slow. */
const DEADLINE_MS = 60_000;

/** Waits until the condition holds; fails with the words of what was waited for once the deadline has passed. */
export async function eventually(what: string, condition: () => boolean | Promise<boolean>, deadlineMs = DEADLINE_MS): Promise<void> {
  const end = Date.now() + deadlineMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`Within ${deadlineMs} ms it did not happen: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Looks that must find the same before a figure counts as settled. */
const STEADY_LOOKS = 30;

/** Waits until a figure stays as it is, and gives it: how far something went before it was held back. */
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
