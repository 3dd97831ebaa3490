import type { Schemas } from '../../../model/schemas.js';

export type Kind = NonNullable<Schemas['DeviceActivityDto']['kind']>;

/** Kinds of records, as the address names them. */
export const KINDS = [
  'AgentUninstall',
  'AgentUpdate',
  'Delete',
  'Download',
  'LogRead',
  'NewFolder',
  'Power',
  'Recording',
  'Relay',
  'RemoteControl',
  'Rename',
  'Terminal',
  'Upload',
  'Vnc',
  'Wake',
] as const satisfies readonly Kind[];

/** The filter of the shown records. */
export interface ActivityView {
  readonly kind?: Kind;
  /** Id of the person. */
  readonly person?: string;
}

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The filter in an address, without values that the service would refuse. */
export const viewIn = ({ kind, person }: { readonly kind?: string; readonly person?: string }): ActivityView => ({
  kind: KINDS.find((each) => each === kind),
  person: person !== undefined && GUID.test(person) ? person : undefined,
});
