import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/*
 * This machine as a program sees it under another manager of services: with what shows that the manager runs, a folder `/etc` of its own,
 * and commands that write down what they are told.
 */

export interface Manager {
  readonly title: string;
  /** Folders and files that it leaves where it runs. */
  readonly marks: readonly string[];
  readonly commands: readonly string[];
}

export const MANAGERS: readonly Manager[] = [
  { title: 'systemd', marks: ['/run/systemd/system/'], commands: ['systemctl'] },
  { title: 'OpenRC', marks: ['/run/openrc/softlevel'], commands: ['rc-service', 'rc-update'] },
  { title: 'runit', marks: ['/run/runit/', '/etc/service/'], commands: ['sv'] },
];

/** In a mount namespace: folders that the program may change without changing this machine. Then the program, as root. */
const ENTER = `
  mount -t tmpfs tmpfs /run &&
  mount -t overlay overlay -o "lowerdir=/etc,upperdir=$0/etc,workdir=$0/work" /etc &&
  for mark in $MARKS; do
    case $mark in
      */) mkdir -p "$mark" ;;
      *) mkdir -p "$(dirname "$mark")" && : >"$mark" ;;
    esac
  done &&
  exec "$@"`;

const UNSHARE = ['unshare', '--mount', ...(process.getuid?.() === 0 ? [] : ['--map-root-user'])];

const TRIAL = `
  d=$(mktemp -d) && mkdir "$d/etc" "$d/work" && mount -t tmpfs tmpfs /run &&
  mount -t overlay overlay -o "lowerdir=/etc,upperdir=$d/etc,workdir=$d/work" /etc; status=$?; umount /etc; rm -rf "$d"; exit $status`;

export const canManageMachines =
  process.platform === 'linux' && spawnSync(UNSHARE[0] ?? '', [...UNSHARE.slice(1), 'sh', '-c', TRIAL]).status === 0;

/** Requirements, for the title of a test that is skipped without them. */
export const WITHOUT_MANAGERS = 'that takes Linux, and root or user namespaces with overlays';

export class ManagedMachine {
  private constructor(
    private readonly folder: string,
    private readonly manager: Manager,
  ) {}

  /** Makes the machine in a folder. */
  static async make(folder: string, manager: Manager): Promise<ManagedMachine> {
    for (const name of ['etc', 'work', 'bin']) await mkdir(join(folder, name), { recursive: true });
    const machine = new ManagedMachine(folder, manager);
    await machine.fail('nothing');
    await writeFile(join(folder, 'told'), '');
    for (const name of manager.commands) {
      const script = `#!/bin/sh\necho "${name} $*" >>'${folder}/told'\ncase "${name} $*" in $(cat '${folder}/failing')) exit 1 ;; esac\n`;
      await writeFile(join(folder, 'bin', name), script, { mode: 0o755 });
    }
    return machine;
  }

  /** A command of the machine as a command of this process. */
  command(command: readonly string[]): string[] {
    return [...UNSHARE, 'sh', '-c', ENTER, this.folder, ...command];
  }

  get environment(): NodeJS.ProcessEnv {
    return { PATH: `${join(this.folder, 'bin')}:${process.env['PATH'] ?? ''}`, MARKS: this.manager.marks.join(' ') };
  }

  /** Lets commands fail that match a pattern of the shell, such as `systemctl\ restart*`. */
  async fail(pattern: string): Promise<void> {
    await writeFile(join(this.folder, 'failing'), pattern);
  }

  /** Returns the arguments of the commands since the last call. */
  async told(): Promise<string[]> {
    const text = await readFile(join(this.folder, 'told'), 'utf8');
    await writeFile(join(this.folder, 'told'), '');
    return text.split('\n').slice(0, -1);
  }

  /** Returns the path at which this process finds a file that was written to `/etc`. */
  etc(path: string): string {
    return join(this.folder, 'etc', path);
  }
}
