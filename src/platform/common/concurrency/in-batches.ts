/** Repeats a removal as long as it removes something, and returns how many in all. */
export async function inBatches(signal: AbortSignal, remove: () => Promise<number>): Promise<number> {
  let removed = 0;
  for (let batch = 1; batch > 0 && !signal.aborted; removed += batch) batch = await remove();
  return removed;
}
