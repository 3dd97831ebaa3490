/** What stands in the service's commands for the id and the secret of an installer key. */
const KEY_ID = '{keyId}';
const KEY_SECRET = '{keySecret}';

/** The command of a platform with a key in it. */
export const commandFor = (command: string, key: { readonly id: string; readonly secret: string }): string =>
  command.replaceAll(KEY_ID, () => key.id).replaceAll(KEY_SECRET, () => key.secret);

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
