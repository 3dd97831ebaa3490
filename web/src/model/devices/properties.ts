import type { Schemas } from '../schemas.js';

type ColumnFilter = NonNullable<Schemas['DeviceSearchRequestDto']['filterDefinitions']>[number];
export type PropertyName = NonNullable<ColumnFilter['propertyName']>;
export type OperatorName = NonNullable<ColumnFilter['operator']>;

/** Kind of a property's values: it decides which operators and which input a filter offers. */
export type PropertyKind = 'text' | 'share' | 'number' | 'instant' | 'flag';

/** The properties of a device that filters and the order may name, with their kinds. */
export const PROPERTIES = {
  name: 'text',
  alias: 'text',
  dnsHostName: 'text',
  osDescription: 'text',
  currentUsers: 'text',
  customerName: 'text',
  agentVersion: 'text',
  publicIpV4: 'text',
  publicIpV6: 'text',
  localIpV4: 'text',
  localIpV6: 'text',
  macAddresses: 'text',
  cpuUtilization: 'share',
  usedMemoryPercent: 'share',
  usedStoragePercent: 'share',
  processorCount: 'number',
  totalMemory: 'number',
  totalStorage: 'number',
  lastSeen: 'instant',
  isOnline: 'flag',
  id: 'text',
} as const satisfies Partial<Record<PropertyName, PropertyKind>>;

export type Property = keyof typeof PROPERTIES;

export const isProperty = (name: string): name is Property => Object.hasOwn(PROPERTIES, name);

/** Operators in addresses, their names in the service, and the kinds of properties that they apply to. */
export const OPERATORS = {
  contains: { sent: 'contains', kinds: ['text'] },
  equals: { sent: 'equals', kinds: ['text'] },
  starts: { sent: 'starts with', kinds: ['text'] },
  ends: { sent: 'ends with', kinds: ['text'] },
  not: { sent: 'not contains', kinds: ['text'] },
  gt: { sent: '>', kinds: ['share', 'number'] },
  lt: { sent: '<', kinds: ['share', 'number'] },
  is: { sent: 'is', kinds: ['flag', 'number'] },
  before: { sent: 'is before', kinds: ['instant'] },
  after: { sent: 'is after', kinds: ['instant'] },
} as const satisfies Record<string, { readonly sent: OperatorName; readonly kinds: readonly PropertyKind[] }>;

export type Operator = keyof typeof OPERATORS;

export const isOperator = (name: string): name is Operator => Object.hasOwn(OPERATORS, name);

/** The operators that a property takes. */
export function operatorsFor(property: Property): Operator[] {
  const kinds: readonly (readonly [Operator, readonly PropertyKind[]])[] = Object.entries(OPERATORS).map(([name, { kinds: of }]) => [
    name as Operator,
    of,
  ]);
  return kinds.filter(([, of]) => of.includes(PROPERTIES[property])).map(([name]) => name);
}
