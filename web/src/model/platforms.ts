const NAMES: Readonly<Record<string, string>> = { linux: 'Linux', osx: 'macOS', win: 'Windows' };
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'x64', arm64: 'ARM64', x86: 'x86' };

/** A platform as people call it: `linux-x64` is `Linux x64`. */
export function platformName(platform: string): string {
  const [system = '', architecture = ''] = platform.split('-');
  return `${NAMES[system] ?? system} ${ARCHITECTURES[architecture] ?? architecture}`.trim();
}
