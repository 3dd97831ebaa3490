const POLL_MS = 10;

/** For machines that have much else to do: what takes longer than this has not merely been slow. */
const DEADLINE_MS = 30_000;

/** Waits until the condition holds; fails with the words of what was waited for once the deadline has passed. */
export async function eventually(what: string, condition: () => boolean | Promise<boolean>, deadlineMs = DEADLINE_MS): Promise<void> {
  const end = Date.now() + deadlineMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`Within ${deadlineMs} ms it did not happen: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
