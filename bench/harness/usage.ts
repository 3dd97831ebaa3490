import { readdir, readFile, writeFile } from 'node:fs/promises';

/** The kernel's unit of processor time: hundredths of a second, on every Linux. */
const TICKS_PER_SECOND = 100;
const BYTES_PER_KIB = 1024;

/** Processor time of a process since its start, in seconds. */
export async function cpuSeconds(pid: number): Promise<number> {
  const [user, system] = await ticksOf(pid);
  return (user + system) / TICKS_PER_SECOND;
}

/** Processor time of a process and all of its children, including ended ones, in seconds. A database server consists of many processes. */
export async function cpuSecondsOfFamily(pid: number): Promise<number> {
  const [user, system, goneUser, goneSystem] = await ticksOf(pid);
  let ticks = user + system + goneUser + goneSystem;
  for (const child of await childrenOf(pid)) {
    try {
      const [childUser, childSystem] = await ticksOf(child);
      ticks += childUser + childSystem;
    } catch (error) {
      // The process ended between the two readings, so its parent counts its time from now on.
      if (!(error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))) throw error;
    }
  }
  return ticks / TICKS_PER_SECOND;
}

/** Resident memory of a process in bytes. */
export function residentBytes(pid: number): Promise<number> {
  return statusBytes(pid, 'VmRSS');
}

/** The highest resident memory of a process since {@link forgetPeak}, in bytes. */
export function peakResidentBytes(pid: number): Promise<number> {
  return statusBytes(pid, 'VmHWM');
}

/** Resets the peak to the current resident memory. */
export async function forgetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5');
}

async function statusBytes(pid: number, name: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kibibytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  if (kibibytes === undefined) throw new Error(`Process ${pid} has no ${name}.`);
  return Number(kibibytes) * BYTES_PER_KIB;
}

/** User and system time of a process, then the same of its ended children. */
async function ticksOf(pid: number): Promise<[number, number, number, number]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name is in brackets and may contain spaces. The times are fields 14 to 17.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return [Number(fields[11]), Number(fields[12]), Number(fields[13]), Number(fields[14])];
}

async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`);
  const lists = await Promise.all(threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8')));
  return lists.flatMap((list) =>
    list
      .split(' ')
      .filter((id) => id !== '')
      .map(Number),
  );
}
