import { PowerStateChangeType } from '#libs/contracts';
import type { Command, RunCommand } from './commands.js';

/** The commands that bring the machine into the state, in the order in which they are tried. Empty for `None`. */
export function powerCommands(change: PowerStateChangeType, platform: NodeJS.Platform): Command[] {
  if (change === PowerStateChangeType.None) return [];
  const restart = change === PowerStateChangeType.Restart;
  if (platform === 'win32') return [['shutdown', restart ? '/r' : '/s', '/t', '0', '/f']];
  const shutdown: Command = ['shutdown', restart ? '-r' : '-h', 'now'];
  if (platform !== 'linux') return [shutdown];
  const direct = restart ? 'reboot' : 'poweroff';
  // Small systems have neither systemd nor shutdown.
  return [['systemctl', direct], shutdown, [direct]];
}

/** Restarts or shuts down this machine. Throws the error of the last command when all of them fail. */
export async function changePowerState(
  change: PowerStateChangeType,
  run: RunCommand,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  const commands = powerCommands(change, platform);
  for (const [index, command] of commands.entries()) {
    try {
      await run(command);
      return;
    } catch (error) {
      if (index === commands.length - 1) throw error;
    }
  }
}
