import { LEAST_WIDTH, MOST_WIDTH } from '../../ui/grid/layout.js';

/*
 * Columns of the list of devices, with order and widths, as its address holds them: `name.240,seen,state.120`.
 */

/** The columns of a list whose address names none. */
export const DEFAULT_COLUMNS = ['name', 'state', 'customer', 'system', 'user', 'address', 'health', 'agent', 'seen'] as const;
type DefaultColumnId = (typeof DEFAULT_COLUMNS)[number];

/** Every column that the list can show, in the order in which they are offered. */
export const COLUMN_IDS = [...DEFAULT_COLUMNS, 'dnsHostName', 'localIpV6', 'publicIp', 'mac', 'processors', 'memory', 'storage'] as const;
export type BuiltInColumnId = (typeof COLUMN_IDS)[number];
/** The column of a field that the tenant defined: the id of the field follows. */
type FieldColumnId = `field-${string}`;
export type ColumnId = BuiltInColumnId | FieldColumnId;

/** A column that the list shows. */
export interface ChosenColumn {
  readonly id: ColumnId;
  /** The width that the user gave it, in pixels. */
  readonly width?: number;
}

/** Makes the next columns of an address of its present ones. A rendering may be behind: its columns lack a choice just made. */
export type ColumnChoice = (cols: string | undefined) => string | undefined;

/** True for a column that is shown without a choice. */
export const isDefaultColumn = (id: string): id is DefaultColumnId => (DEFAULT_COLUMNS as readonly string[]).includes(id);

export const isFieldColumn = (id: string): id is FieldColumnId => /^field-[\da-f-]{36}$/.test(id);

const isColumn = (id: string): id is ColumnId => (COLUMN_IDS as readonly string[]).includes(id) || isFieldColumn(id);

/** A width as the address has it; undefined for another text. */
function readWidth(text = ''): number | undefined {
  const width = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return width >= LEAST_WIDTH && width <= MOST_WIDTH ? width : undefined;
}

/** The columns that an address names: the name always comes first, each comes once, and unknown ones are dropped. */
export function readColumns(cols: string | undefined): readonly ChosenColumn[] {
  if (cols === undefined) return DEFAULT_COLUMNS.map((id) => ({ id }));
  const chosen = new Map<ColumnId, ChosenColumn>([['name', { id: 'name' }]]);
  for (const part of cols.split(',')) {
    const [id = '', width] = part.split('.');
    if (isColumn(id)) chosen.set(id, { id, width: readWidth(width) });
  }
  return [...chosen.values()];
}
