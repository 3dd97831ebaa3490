import type { Command, RunCommand } from '../commands.js';

/** The scheduled task that keeps the agent running. `install.ps1` makes it. */
function taskName(instance: string | undefined): string {
  return instance === undefined ? 'device-agent' : `device-agent-${instance}`;
}

/** Ends the agent that the task runs. Fails when there is no task. */
export function endTask(instance: string | undefined): Command {
  return ['schtasks.exe', '/End', '/TN', taskName(instance)];
}

/** Removes the task. Its process goes on. Fails if there is no task. */
export function deleteTask(instance: string | undefined): Command {
  return ['schtasks.exe', '/Delete', '/TN', taskName(instance), '/F'];
}

/**
 * Removes a folder when the process has ended: Windows keeps the files of a program that runs. PowerShell takes what is in single quotes
 * as it is, but for single quotes.
 */
export function removeFolderAfter(processId: number, folder: string): Command {
  const path = `'${folder.replaceAll("'", "''")}'`;
  const script = `Wait-Process -Id ${processId} -ErrorAction SilentlyContinue; Remove-Item -LiteralPath ${path} -Recurse -Force`;
  return ['powershell.exe', '-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'Bypass', '-Command', script];
}

/** Ends the task of an agent, if there is one. */
export async function stopTask(instance: string | undefined, run: RunCommand): Promise<void> {
  await run(endTask(instance)).catch(() => undefined);
}

/** Removes the task of an agent, if there is one. */
export async function removeTask(instance: string | undefined, run: RunCommand): Promise<void> {
  await run(deleteTask(instance)).catch(() => undefined);
}
