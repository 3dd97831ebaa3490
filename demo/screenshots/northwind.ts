import pg from 'pg';

/*
 * The tenant that the pictures show: a company that looks after the computers of three customers.
 */

export const TENANT = 'Northwind IT';
/** User who registers first. */
export const FIRST_USER = { email: 'dana@northwind.example', password: 'Correct-Horse-7' };
export const CUSTOMERS = ['Acme Dental', 'Cedar School', 'Delta Foods'] as const;
export const TAGS = ['critical', 'kiosk', 'server'] as const;
export const GROUPS = ['Classrooms', 'Front desks', 'Servers'] as const;
/** Colleagues of the first user, each with the presets that they are given. */
export const COLLEAGUES = [
  { userName: 'lena@northwind.example', presets: ['Device Superuser'] },
  { userName: 'marco@northwind.example', presets: [] },
  { userName: 'priya@northwind.example', presets: ['Agent Installer', 'Installer Key Manager'] },
] as const;

/** Name, customer, system, signed-in user, share of processor, memory and storage in use, and hours since it was seen; 0 is online. */
type Row = readonly [
  name: string,
  customer: (typeof CUSTOMERS)[number],
  system: keyof typeof SYSTEMS,
  user: string,
  load: readonly [number, number, number],
  hoursAway: number,
  tags: readonly (typeof TAGS)[number][],
];

const SYSTEMS = {
  'Windows Server 2022': { platform: 1, memory: 32, storage: 953 },
  'Windows 11 Pro 24H2': { platform: 1, memory: 16, storage: 475 },
  'Debian GNU/Linux 12 (bookworm)': { platform: 2, memory: 8, storage: 238 },
  'macOS 15.1': { platform: 3, memory: 16, storage: 494 },
} as const;

const DEVICES: readonly Row[] = [
  ['acme-files', 'Acme Dental', 'Windows Server 2022', '', [0.31, 0.62, 0.91], 0, ['server', 'critical']],
  ['acme-xray', 'Acme Dental', 'Windows 11 Pro 24H2', 'meier', [0.12, 0.41, 0.55], 0, ['critical']],
  ['acme-office', 'Acme Dental', 'Windows 11 Pro 24H2', 'schulz', [0.08, 0.52, 0.38], 0, []],
  ['acme-laptop', 'Acme Dental', 'macOS 15.1', '', [0.02, 0.3, 0.61], 76, []],
  ['cedar-dc', 'Cedar School', 'Windows Server 2022', '', [0.22, 0.48, 0.44], 0, ['server', 'critical']],
  ['cedar-lab-01', 'Cedar School', 'Debian GNU/Linux 12 (bookworm)', 'pupil', [0.44, 0.37, 0.29], 0, []],
  ['cedar-lab-02', 'Cedar School', 'Debian GNU/Linux 12 (bookworm)', 'pupil', [0.38, 0.33, 0.29], 0, []],
  ['cedar-lab-03', 'Cedar School', 'Debian GNU/Linux 12 (bookworm)', '', [0.01, 0.12, 0.28], 0, []],
  ['cedar-lab-04', 'Cedar School', 'Debian GNU/Linux 12 (bookworm)', '', [0.01, 0.11, 0.28], 212, []],
  ['cedar-library', 'Cedar School', 'Windows 11 Pro 24H2', 'reader', [0.17, 0.44, 0.35], 0, ['kiosk']],
  ['cedar-office', 'Cedar School', 'macOS 15.1', 'okafor', [0.26, 0.71, 0.48], 0, []],
  ['delta-backup', 'Delta Foods', 'Debian GNU/Linux 12 (bookworm)', '', [0.09, 0.26, 0.88], 0, ['server']],
  ['delta-sql', 'Delta Foods', 'Windows Server 2022', '', [0.93, 0.81, 0.57], 0, ['server', 'critical']],
  ['delta-till-01', 'Delta Foods', 'Windows 11 Pro 24H2', 'till', [0.06, 0.35, 0.22], 0, ['kiosk']],
  ['delta-till-02', 'Delta Foods', 'Windows 11 Pro 24H2', 'till', [0.07, 0.36, 0.22], 0, ['kiosk']],
  ['delta-till-03', 'Delta Foods', 'Windows 11 Pro 24H2', '', [0.01, 0.2, 0.21], 29, ['kiosk']],
  ['delta-ware', 'Delta Foods', 'Windows 11 Pro 24H2', 'novak', [0.19, 0.58, 0.46], 0, []],
];

const OUTDATED = new Set(['acme-laptop', 'cedar-lab-04', 'delta-till-02']);
const OLDER_VERSION = '0.0.9.0';
const groupOf = (name: string): (typeof GROUPS)[number] | null => {
  if (name.startsWith('cedar-lab')) return 'Classrooms';
  if (/-(?:dc|files|sql|backup)$/.test(name)) return 'Servers';
  return /till|library/.test(name) ? 'Front desks' : null;
};

/** Ids of the objects that the API has made, by name. */
export type Ids = ReadonlyMap<string, string>;

/** Adds the devices of the tenant to those that are there: reported once, and some of them a while ago. */
export async function addDevices(database: pg.ClientConfig, tenantId: string, agentVersion: string, ids: Ids): Promise<void> {
  const client = new pg.Client(database);
  await client.connect();
  try {
    // The machine that takes the pictures is busy.
    await client.query('UPDATE devices SET cpu_utilization = 0.14 WHERE tenant_id = $1', [tenantId]);
    for (const [index, device] of DEVICES.entries()) await addDevice(client, { index, device, tenantId, agentVersion, ids });
  } finally {
    await client.end();
  }
}

interface Addition {
  readonly index: number;
  readonly device: Row;
  readonly tenantId: string;
  readonly agentVersion: string;
  readonly ids: Ids;
}

async function addDevice(client: pg.Client, { index, device, tenantId, agentVersion, ids }: Addition): Promise<void> {
  const [name, customer, system, user, [cpu, memory, storage], hoursAway, tags] = device;
  const id = `0199a000-0000-7000-8000-${String(index + 1).padStart(12, '0')}`;
  const { platform, memory: totalMemory, storage: totalStorage } = SYSTEMS[system];
  const subnet = CUSTOMERS.indexOf(customer) + 10;
  const drive = { name: '/', driveType: 'Fixed', rootDirectory: '/', driveFormat: 'ext4', volumeLabel: 'system' };
  const drives = [{ ...drive, freeSpace: totalStorage * (1 - storage), totalSize: totalStorage }];
  await client.query(
    `INSERT INTO devices (id, tenant_id, name, agent_version, dns_host_name, os_description, local_ip_v4, local_ip_v6, public_ip_v4,
       cpu_utilization, total_memory, used_memory, total_storage, used_storage, processor_count, is64_bit, os_architecture, platform,
       current_users, mac_addresses, drives, customer_id, is_online, last_seen)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 8, TRUE, 1, $15, $16, $17, $18, $19, $20,
       now() - $21 * interval '1 hour' - $22 * interval '1 second')`,
    [
      id,
      tenantId,
      name,
      OUTDATED.has(name) ? OLDER_VERSION : agentVersion,
      `${name}.example.org`,
      system,
      `192.168.${subnet}.${20 + index}`,
      `2001:db8::${subnet}:${20 + index}`,
      '198.51.100.7',
      cpu,
      totalMemory,
      totalMemory * memory,
      totalStorage,
      totalStorage * storage,
      platform,
      user === '' ? [] : [user],
      [`0011223344${String(10 + index)}`],
      JSON.stringify(drives),
      idOf(ids, customer),
      hoursAway === 0,
      hoursAway,
      // Within the minutes that a report is good for.
      20 + ((index * 37) % 200),
    ],
  );
  for (const tag of tags) await client.query('INSERT INTO device_tags (device_id, tag_id) VALUES ($1, $2)', [id, idOf(ids, tag)]);
  const group = groupOf(name);
  if (group !== null) {
    await client.query('INSERT INTO device_group_members (device_id, device_group_id) VALUES ($1, $2)', [id, idOf(ids, group)]);
  }
}

/** The id of something that the API has made under this name. */
export function idOf(ids: Ids, name: string): string {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`There is no ${name}.`);
  return id;
}
