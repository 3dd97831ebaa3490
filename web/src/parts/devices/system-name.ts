/** Versions of Windows 10 and 11 by the number of their build. */
const BUILDS: Readonly<Record<string, string>> = {
  '19045': '10 22H2',
  '22621': '11 22H2',
  '22631': '11 23H2',
  '26100': '11 24H2',
};
/** Difference between the versions of Darwin and macOS, up to macOS 15 and from 26 on. */
const BEFORE_26 = 9;
const FROM_26 = -1;

/** A system in few words: `Windows 11 Pro 24H2` for `Microsoft Windows 11 Pro 10.0.26100 (24H2)`. Agents describe it in their own ways. */
export function systemName(description: string): string {
  const text = description.replace(/\((?:R|TM)\)|[®™]/gi, '').replace(/^Microsoft /, '');
  if (text.startsWith('Windows')) return windowsName(text);
  const darwin = Number(/^Darwin (\d+)/.exec(text)?.[1]);
  if (darwin >= 20) return `macOS ${darwin - (darwin < 25 ? BEFORE_26 : FROM_26)}`;
  return text
    .replace(/ \([^)]*\)$/, '')
    .replace(/^(Linux \d+\.\d+)\S*.*/, '$1')
    .replace(/^Red Hat Enterprise Linux/, 'RHEL')
    .replace(/(?:GNU\/| )Linux (?=\d)/, ' ')
    .replace(/ +/g, ' ')
    .trim();
}

function windowsName(text: string): string {
  const [, build = ''] = /10\.0\.(\d{5})/.exec(text) ?? [];
  const [, name = '', release = BUILDS[build]?.slice(-4) ?? ''] =
    /^Windows(.*?)(?: Version)?(?: \(?10\.0\S*| \((?=\d\dH\d))? ?(?:\(?(\d\dH\d)\)?)?$/.exec(text) ?? [];
  if (name.trim() === '') return BUILDS[build] === undefined ? text : `Windows ${BUILDS[build]}`;
  const isServer = name.includes('Server');
  return `Windows${name.replace('Professional', 'Pro')}${isServer ? '' : ` ${release}`}`.trim();
}
