/** What stands in the service's commands for the id and the secret of an installer key. */
const KEY_ID = '{keyId}';
const KEY_SECRET = '{keySecret}';

/** What a command tells the agent besides its server and its key. */
export interface AgentOptions {
  /** Ids of the tags that the device gets when it registers. */
  readonly tagIds: readonly string[];
  /** Name of the agent among several on one device; empty without one. */
  readonly instanceId: string;
}

/** How a script is given the options. */
const OPTIONS: Readonly<Record<string, { readonly tags: string; readonly instance: string }>> = {
  'install.sh': { tags: '--tags', instance: '--instance' },
  'install.ps1': { tags: '-Tags', instance: '-Instance' },
};

/** Characters of the name of an instance, as the agent reads it. Nothing in it has a meaning in a shell. */
export const INSTANCE = '[A-Za-z0-9_\\-]{1,50}';

/** The command of a script with a key and options in it. */
export function commandFor(
  { script, command }: { readonly script: string; readonly command: string },
  key: { readonly id: string; readonly secret: string },
  { tagIds, instanceId }: AgentOptions,
): string {
  const names = OPTIONS[script];
  const options = [
    ...(tagIds.length > 0 && names !== undefined ? [` ${names.tags} '${tagIds.join(',')}'`] : []),
    ...(new RegExp(`^${INSTANCE}$`).test(instanceId) && names !== undefined ? [` ${names.instance} ${instanceId}`] : []),
  ];
  return command.replaceAll(KEY_ID, () => key.id).replaceAll(KEY_SECRET, () => key.secret) + options.join('');
}

const NAMES: Readonly<Record<string, string>> = { linux: 'Linux', osx: 'macOS', win: 'Windows' };
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'x64', arm64: 'ARM64', x86: 'x86' };

/** A platform as people call it: `linux-x64` is `Linux x64`. */
export function platformName(platform: string): string {
  const [system = '', architecture = ''] = platform.split('-');
  return `${NAMES[system] ?? system} ${ARCHITECTURES[architecture] ?? architecture}`.trim();
}

/** The platform that a browser runs on, among those that are offered; else the first. */
export function ownPlatform(platforms: readonly string[], userAgent: string): string | undefined {
  const system = /Windows/.test(userAgent) ? 'win' : /Mac OS/.test(userAgent) ? 'osx' : 'linux';
  return platforms.find((platform) => platform.startsWith(system)) ?? platforms[0];
}
