import { describe, expect, it } from 'vitest';
import type { Command } from '../commands.js';
import { deleteTask, endTask, removeFolderAfter, removeTask, stopTask } from './windows.js';

/* There is no Windows here: these are the commands that it would be given. */

describe('an agent on Windows', () => {
  it.each([
    [undefined, 'device-agent'],
    ['second', 'device-agent-second'],
  ])('has a task: of the instance %s', (instance, name) => {
    expect(endTask(instance)).toEqual(['schtasks.exe', '/End', '/TN', name]);
    expect(deleteTask(instance)).toEqual(['schtasks.exe', '/Delete', '/TN', name, '/F']);
  });

  it('is removed with its folder once its process has ended, whatever the folder is called', () => {
    expect(removeFolderAfter(4711, String.raw`C:\Program Files\Anna's $(agent)`).at(-1)).toBe(
      String.raw`Wait-Process -Id 4711 -ErrorAction SilentlyContinue; Remove-Item -LiteralPath 'C:\Program Files\Anna''s $(agent)' -Recurse -Force`,
    );
  });

  it('is removed without its task when there is none', async () => {
    const commands: Command[] = [];
    const run = (command: Command): Promise<string> => {
      commands.push(command);
      return Promise.reject(new Error('The system cannot find the file specified.'));
    };
    await stopTask(undefined, run);
    await removeTask(undefined, run);
    expect(commands).toEqual([endTask(undefined), deleteTask(undefined)]);
  });
});
