import type { DeviceResponseDto, DeviceUpdateRequestDto } from '#libs/contracts';

/** A drive as it is stored; sizes in GiB. */
export interface StoredDrive {
  readonly name: string;
  readonly driveType: string;
  readonly rootDirectory: string;
  readonly driveFormat: string;
  readonly freeSpace: number;
  readonly totalSize: number;
  readonly volumeLabel: string;
}

/** Possible values of a field, as read from the database, by field type. */
interface FieldValues {
  guid: string;
  guids: readonly string[];
  text: string;
  texts: readonly string[];
  number: number;
  integer: number;
  boolean: boolean;
  instant: Date;
  architecture: number;
  platform: number;
  drives: readonly StoredDrive[];
}

export type FieldType = keyof FieldValues;

/**
 * Sources of the value of a field:
 * - `details`: the agent's report. These values change rarely and are written only when one of them differs.
 * - `figures`: the agent's report. These values change with every report.
 * - `connection`: the server, when an agent reports or disconnects.
 * - `address`: the address that the agent connects from. An agent connects over IPv4 or IPv6, the other value stays.
 * - `server`: registration and the API.
 */
type FieldSource = 'details' | 'figures' | 'connection' | 'address' | 'server';

export interface DeviceField {
  readonly type: FieldType;
  readonly source: FieldSource;
  /** Longest text that the column takes, in characters. */
  readonly maxLength?: number;
  readonly nullable?: true;
  /** Part of the search text of the device, which has a trigram index. */
  readonly inSearchText?: true;
  /** The SQL of a field that is not a column of `devices`; the argument is the alias of the device's row. */
  readonly sql?: (device: string) => string;
  /** The same value in a search, which joins the tables that its filters and orders need (`searchedDevices`). */
  readonly searchSql?: string;
}

/**
 * Every field of a device that callers see, except `isOutdated`, which is calculated. Column lists, statements, row types and
 * search properties are derived from this table. The column of a field has the field's name in snake case.
 */
export const DEVICE_FIELDS = {
  id: { type: 'guid', source: 'server', inSearchText: true },
  tenantId: { type: 'guid', source: 'server' },
  customerId: { type: 'guid', source: 'server', nullable: true },
  customerName: {
    type: 'text',
    source: 'server',
    nullable: true,
    sql: (device) => `(SELECT customer.name FROM customers customer WHERE customer.id = ${device}.customer_id)`,
    searchSql: 'searched_customer.name',
  },
  name: { type: 'text', source: 'details', maxLength: 100, inSearchText: true },
  alias: { type: 'text', source: 'server', maxLength: 100, inSearchText: true },
  agentVersion: { type: 'text', source: 'details', maxLength: 50, inSearchText: true },
  connectionId: { type: 'text', source: 'connection', maxLength: 100 },
  dnsHostName: { type: 'text', source: 'details', maxLength: 255, inSearchText: true },
  osDescription: { type: 'text', source: 'details', maxLength: 300, inSearchText: true },
  localIpV4: { type: 'text', source: 'details', maxLength: 15, inSearchText: true },
  localIpV6: { type: 'text', source: 'details', maxLength: 39, inSearchText: true },
  publicIpV4: { type: 'text', source: 'address', maxLength: 15, inSearchText: true },
  publicIpV6: { type: 'text', source: 'address', maxLength: 39, inSearchText: true },
  cpuUtilization: { type: 'number', source: 'figures' },
  totalMemory: { type: 'number', source: 'figures' },
  usedMemory: { type: 'number', source: 'figures' },
  totalStorage: { type: 'number', source: 'figures' },
  usedStorage: { type: 'number', source: 'figures' },
  processorCount: { type: 'integer', source: 'details' },
  is64Bit: { type: 'boolean', source: 'details' },
  isOnline: { type: 'boolean', source: 'connection' },
  lastSeen: { type: 'instant', source: 'connection' },
  osArchitecture: { type: 'architecture', source: 'details' },
  platform: { type: 'platform', source: 'details' },
  currentUsers: { type: 'texts', source: 'details', inSearchText: true },
  macAddresses: { type: 'texts', source: 'details', inSearchText: true },
  drives: { type: 'drives', source: 'details' },
  /** Null when the device carries no tag. `is_tagged` saves the subquery for the many devices without tags. */
  tagIds: {
    type: 'guids',
    source: 'server',
    nullable: true,
    sql: (device) =>
      `CASE WHEN ${device}.is_tagged THEN
         ARRAY(SELECT tagging.tag_id FROM device_tags tagging WHERE tagging.device_id = ${device}.id ORDER BY tagging.tag_id) END`,
  },
} as const satisfies Record<Exclude<keyof DeviceResponseDto, 'isOutdated'>, DeviceField>;

type Fields = typeof DEVICE_FIELDS;
export type FieldName = keyof Fields;

type NameOf<S extends FieldSource> = { [K in FieldName]: Fields[K]['source'] extends S ? K : never }[FieldName];
type ValueOf<K extends FieldName> = FieldValues[Fields[K]['type']] | (Fields[K] extends { readonly nullable: true } ? null : never);
type NullIfReported<K extends keyof DeviceUpdateRequestDto> = Extract<DeviceUpdateRequestDto[K], null>;

/** All fields of a device, as they are read from the database. */
export type DeviceRow = { readonly [K in FieldName]: ValueOf<K> };
/** The fields that are columns of `devices`. */
export type StoredFields = { readonly [K in FieldName as Fields[K] extends { readonly sql: unknown } ? never : K]: ValueOf<K> };
/** Figures that change with every report. Memory and storage in GiB, utilization 0 to 1. */
export type ReportedFigures = Pick<DeviceRow, NameOf<'figures'>>;
/** Rarely changing details that an agent reports of its device; null leaves the stored value unchanged. */
export type DeviceDetails = { readonly [K in NameOf<'details'>]: ValueOf<K> | NullIfReported<K> };
/** Details of which none is null. */
export type CompleteDetails = Pick<DeviceRow, NameOf<'details'>>;

export const FIELD_NAMES = Object.keys(DEVICE_FIELDS) as readonly FieldName[];

/** The names of the fields that come from these sources, in the order of the table. */
export function fieldsFrom<S extends FieldSource>(...sources: readonly S[]): readonly NameOf<S>[] {
  return FIELD_NAMES.filter((name): name is NameOf<S> => (sources as readonly FieldSource[]).includes(DEVICE_FIELDS[name].source));
}

/** The definition of a field, without its literal types. */
export function fieldOf(name: FieldName): DeviceField {
  return DEVICE_FIELDS[name];
}
