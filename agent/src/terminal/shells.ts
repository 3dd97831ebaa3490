import { accessSync, constants } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { basename } from 'node:path';

/** Start of a shell for line mode. */
export interface LineShellProfile {
  readonly file: string;
  readonly args: string[];
  readonly environment: Record<string, string>;
  /** Commands that are typed once at the start; their output is not shown. */
  readonly preparation: readonly string[];
  /** Characters that the Enter key sends. */
  readonly enter: string;
}

/** Shells that expand parameters in PS1 and work without a line editor. */
const LINE_SHELLS = new Set(['bash', 'dash', 'ksh', 'sh']);

export interface ShellSurroundings {
  readonly platform: NodeJS.Platform;
  readonly preferred: string | undefined;
  readonly canRun: (path: string) => boolean;
}

/** The shell for line mode, with a prompt that carries the token, exit code and directory (see PromptReader). */
export function lineShell(token: string, surroundings: ShellSurroundings = thisMachine()): LineShellProfile {
  if (surroundings.platform === 'win32') return powershell(token);
  const { preferred, canRun } = surroundings;
  const wanted = preferred !== undefined && LINE_SHELLS.has(basename(preferred)) ? [preferred] : [];
  const file = [...wanted, '/bin/bash'].find(canRun) ?? '/bin/sh';
  return {
    file,
    args: basename(file) === 'bash' ? ['--noprofile', '--norc', '--noediting', '-i'] : ['-i'],
    // A pager would wait for keys that cannot be sent in line mode.
    environment: { PS1: `<<${token}:$?:$PWD:${token}>>`, PS2: `<<${token}+>>`, TERM: 'dumb', PAGER: 'cat', GIT_PAGER: 'cat', ENV: '' },
    preparation: ['stty -echo'],
    enter: '\n',
  };
}

function powershell(token: string): LineShellProfile {
  const prompt = `function prompt { "<<${token}:$([int](-not $?)):$($PWD.Path):${token}>>" }`;
  return {
    file: 'powershell.exe',
    args: ['-NoLogo', '-NoProfile', '-NoExit', '-Command', prompt],
    environment: {},
    preparation: ['Remove-Module PSReadLine -ErrorAction SilentlyContinue'],
    enter: '\r',
  };
}

/** The shell for raw mode: the user's own shell. */
export function rawShell(surroundings: ShellSurroundings = thisMachine()): string {
  if (surroundings.platform === 'win32') return 'powershell.exe';
  const { preferred, canRun } = surroundings;
  return [...(preferred === undefined ? [] : [preferred]), '/bin/bash'].find(canRun) ?? '/bin/sh';
}

/** The variables that a shell gets from the agent. All others are the agent's own affair: secrets may be among them. */
const INHERITED = /^(PATH|HOME|USER|LOGNAME|SHELL|TZ|LANG|LANGUAGE|LC_[A-Z]+)$/;
/** Without these, programs of Windows do not start. Its names of variables have no case. */
const INHERITED_ON_WINDOWS =
  /^(Path|PathExt|ComSpec|OS|SystemRoot|SystemDrive|windir|Temp|Tmp|ProgramData|ProgramFiles.*|CommonProgram.*|AppData|LocalAppData|UserProfile|UserName|UserDomain|ComputerName|Home.*|Public|PSModulePath|Processor_.*|Number_Of_Processors)$/i;
const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The environment of every shell: what people expect to find, from the agent's own environment or from their account. */
export function shellEnvironment(own: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform): NodeJS.ProcessEnv {
  const allowed = platform === 'win32' ? INHERITED_ON_WINDOWS : INHERITED;
  const inherited = Object.fromEntries(Object.entries(own).filter(([name, value]) => allowed.test(name) && value !== ''));
  if (platform === 'win32') return inherited;
  const hasLocale = ['LC_ALL', 'LC_CTYPE', 'LANG'].some((name) => inherited[name] !== undefined);
  // Without a locale, line editors treat characters outside ASCII as single bytes.
  return { PATH: DEFAULT_PATH, HOME: homedir(), ...account(), ...inherited, ...(hasLocale ? {} : { LANG: 'C.UTF-8' }) };
}

function account(): NodeJS.ProcessEnv {
  try {
    const { username, shell } = userInfo();
    return { USER: username, LOGNAME: username, ...(shell !== null && { SHELL: shell }) };
  } catch {
    // In containers an account may have a number but no name.
    return {};
  }
}

function thisMachine(): ShellSurroundings {
  return { platform: process.platform, preferred: process.env['SHELL'], canRun: isExecutable };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // If it cannot be run for any reason, the next shell is tried.
    return false;
  }
}
