/** The folders that may be the home of a desktop's user, most likely first, by the name of the device's platform. */
export function homesOf(platform: string, username: string): string[] {
  // Windows puts the name of the domain before it.
  const name = username.split('\\').at(-1) ?? '';
  if (name === '' || name.includes('/')) return [];
  if (platform === 'Windows') return [`C:\\Users\\${name}`];
  if (platform === 'macOS') return [`/Users/${name}`];
  return name === 'root' ? ['/root'] : [`/home/${name}`];
}
