import { fsSize, type Systeminformation } from 'systeminformation';
import { DriveType, type Drive } from '#libs/contracts';
import { LastKnown } from './last-known.js';
import { toGib } from './units.js';

const HIDDEN_FILE_SYSTEMS = new Set(['squashfs', 'overlay', 'tmpfs', 'devtmpfs', 'ramfs', 'iso9660', 'autofs']);
const NETWORK_FILE_SYSTEMS = /^(nfs|cifs|smb|fuse\.sshfs|9p|afs|webdav)/i;
const HIDDEN_MOUNTS = ['/System/Volumes', '/snap', '/boot', '/var/lib/docker', '/sys/firmware/efi'];

const drives = new LastKnown(async () => selectDrives(await fsSize()), []);

/** The fixed disks that hold data, as heartbeats and the file browser show them. */
export async function readDrives(): Promise<Drive[]> {
  return drives.value();
}

/**
 * Selects the fixed data disks among all mounted file systems; pseudo file systems have no size and are left out. A disk that is
 * mounted several times counts once, with its shortest mount point.
 */
export function selectDrives(mounted: readonly Systeminformation.FsSizeData[]): Drive[] {
  const byDevice = new Map<string, Systeminformation.FsSizeData>();
  for (const candidate of mounted.filter(isDataDisk)) {
    const device = deviceOf(candidate);
    const known = byDevice.get(device);
    if (known === undefined || candidate.mount.length < known.mount.length) byDevice.set(device, candidate);
  }
  return Array.from(byDevice.values(), toDrive);
}

/** The file systems of a pool of ZFS share its disks: `tank/home` is one of `tank`. */
function deviceOf({ fs, type }: Systeminformation.FsSizeData): string {
  return type === 'zfs' ? fs.replace(/\/.*/, '') : fs;
}

function isDataDisk({ size, type, mount }: Systeminformation.FsSizeData): boolean {
  const hidden = HIDDEN_MOUNTS.some((folder) => mount === folder || mount.startsWith(`${folder}/`));
  return size > 0 && !hidden && !HIDDEN_FILE_SYSTEMS.has(type.toLowerCase()) && !NETWORK_FILE_SYSTEMS.test(type);
}

function toDrive({ mount, type, size, used }: Systeminformation.FsSizeData): Drive {
  return {
    driveType: DriveType.Fixed,
    rootDirectory: mount,
    name: mount,
    driveFormat: type,
    freeSpace: toGib(Math.max(0, size - used)),
    totalSize: toGib(size),
    volumeLabel: mount,
  };
}
