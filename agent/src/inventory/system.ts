import { hostname, release, type } from 'node:os';
import { osInfo, type Systeminformation } from 'systeminformation';
import { LastKnown } from './last-known.js';
import { readOutput, textOfFile } from './report/run-limited.js';

/** The operating system, and the full name of the machine. */
export interface SystemFacts {
  readonly osDescription: string;
  readonly dnsHostName: string;
}

/** A name server that is gone is asked for half a minute. */
const dnsName = new LastKnown(async () => (await readOutput(['hostname', '-f']))?.trim() || hostname(), hostname());

/** Names of the versions of macOS. */
const MAC_NAMES: Readonly<Record<string, string>> = {
  11: 'Big Sur',
  12: 'Monterey',
  13: 'Ventura',
  14: 'Sonoma',
  15: 'Sequoia',
  26: 'Tahoe',
};

/** Reads them. The package is used on Windows only: elsewhere it would hold this process up until the name servers have answered. */
export async function readSystem(platform: NodeJS.Platform = process.platform): Promise<SystemFacts> {
  if (platform === 'darwin') {
    const [text = '', dnsHostName] = await Promise.all([readOutput(['sw_vers']), dnsName.value()]);
    return { osDescription: describeMac(text) ?? `${type()} ${release()}`, dnsHostName };
  }
  if (platform === 'linux') {
    const text = (await textOfFile('/etc/os-release')) || (await textOfFile('/usr/lib/os-release'));
    return { osDescription: describeRelease(text) ?? `${type()} ${release()}`, dnsHostName: await dnsName.value() };
  }
  const system = await osInfo();
  return { osDescription: describeSystem(system), dnsHostName: system.fqdn || hostname() };
}

/** For example `macOS 14.5 (Sonoma)`, from the output of `sw_vers`. Undefined if that says nothing. */
export function describeMac(text: string): string | undefined {
  const valueOf = (key: string): string => new RegExp(`^${key}:\\s*(.*)$`, 'm').exec(text)?.[1]?.trim() ?? '';
  const version = valueOf('ProductVersion');
  if (version === '') return undefined;
  return describeSystem({ distro: valueOf('ProductName'), release: version, codename: MAC_NAMES[version.split('.')[0] ?? ''] ?? '' });
}

/** For example `Windows 11 Pro 10.0.22631`. */
export function describeSystem({
  distro,
  release: version,
  codename,
}: Pick<Systeminformation.OsData, 'distro' | 'release' | 'codename'>): string {
  return `${distro} ${version}${codename === '' ? '' : ` (${codename})`}`.trim();
}

/** The name in a file `os-release`, with the code name of the version: `Ubuntu 24.04.1 LTS (noble)`. Undefined if there is none. */
export function describeRelease(text: string): string | undefined {
  const valueOf = (key: string): string => new RegExp(`^${key}=(["']?)(.*)\\1$`, 'm').exec(text)?.[2]?.trim() ?? '';
  const [name, codename] = [valueOf('PRETTY_NAME') || valueOf('NAME'), valueOf('VERSION_CODENAME')];
  if (name === '') return undefined;
  return codename === '' || name.includes('(') ? name : `${name} (${codename})`;
}
