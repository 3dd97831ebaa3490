import { open, readFile, type FileHandle } from 'node:fs/promises';

/** The variable that holds the secret of the installer key, so that the list of processes does not show it. */
export const KEY_SECRET_VARIABLE = 'DEVICE_AGENT_KEY_SECRET';

/** Fields of /proc/<pid>/stat, counted from the one behind the name of the program: where the environment begins in memory. */
const ENVIRONMENT_START = 47;

/**
 * Removes the secret from the environment of this process, for programs that it starts and, on Linux, for those that read
 * /proc/<pid>/environ: an agent that was started from the shell of the installation would show it to its terminals.
 */
export async function forgetKeySecret(): Promise<void> {
  if (process.env[KEY_SECRET_VARIABLE] === undefined) return;
  delete process.env[KEY_SECRET_VARIABLE];
  if (process.platform === 'linux') await overwriteInMemory();
}

/** The kernel shows the memory in which the process got its environment at its start, so the secret is overwritten there. */
async function overwriteInMemory(): Promise<void> {
  let memory: FileHandle | undefined;
  try {
    const environment = await readFile('/proc/self/environ');
    const assignment = `\0${KEY_SECRET_VARIABLE}=`;
    // The first variable has no end of another one before it.
    const found = Buffer.concat([Buffer.of(0), environment]).indexOf(assignment);
    if (found === -1) return;
    const start = found + assignment.length - 1;
    const stat = await readFile('/proc/self/stat', 'latin1');
    const address = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[ENVIRONMENT_START]);
    memory = await open('/proc/self/mem', 'r+');
    await memory.write(Buffer.alloc(environment.indexOf(0, start) - start), 0, undefined, address + start);
  } catch {
    // A hardened kernel may forbid it. Shells get no such variable in any case.
  } finally {
    await memory?.close();
  }
}
