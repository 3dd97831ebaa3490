import { MessageSeverity } from '#libs/contracts';
import { bufferMemory, MessagePackWriter } from '#libs/signalr';

import { readValue } from './call-messages.js';

/** Most devices that a signal names; more are "all". */
export const MAXIMUM_SIGNAL_IDS = 10_000;
const ID_BYTES = 16;
const MAXIMUM_TOAST_LENGTH = 4_000;

/** A node says once a second that it is there. */
export interface Here {
  readonly nodeId: string;
  /** False once it is about to stop. */
  readonly isServing: boolean;
  readonly sinceStartMs: number;
  /** Number of its connection to the carrier, from 1; 0 from a release that does not say it. */
  readonly line: number;
  /** Number of its last signal of changes, from 1; 0 before the first, and from a release that does not count them. */
  readonly signals: number;
}

/** Devices that have changed at a node, by their ids of 16 bytes; `all` when they are too many to name. */
export interface Changed {
  readonly nodeId: string;
  readonly ids: readonly Uint8Array[] | 'all';
  /** Its number among those of this node, from 1; 0 from a release that does not count them. */
  readonly number: number;
}

/** A message about a device for those who watch it. */
export interface Toast {
  readonly nodeId: string;
  readonly deviceId: string;
  readonly severity: MessageSeverity;
  readonly text: string;
}

const writer = new MessagePackWriter(bufferMemory);

function written(value: unknown): Buffer {
  writer.begin();
  writer.value(value);
  return writer.end();
}

export const writeHere = ({ nodeId, isServing, sinceStartMs, line, signals }: Here): Buffer =>
  written([nodeId, isServing, Math.floor(sinceStartMs), line, signals]);

export const writeToast = ({ nodeId, deviceId, severity, text }: Toast): Buffer => written([nodeId, deviceId, severity, text]);

export function writeChanged({ nodeId, ids, number }: Changed): Buffer {
  return written([nodeId, ids === 'all' || ids.length > MAXIMUM_SIGNAL_IDS ? null : Buffer.concat(ids), number]);
}

/** Reads the word of a node; null for bytes in another form. */
export function readHere(payload: Uint8Array): Here | null {
  const [nodeId, isServing, sinceStartMs, line = 0, signals = 0] = readItems(payload);
  if (!isNodeId(nodeId) || typeof isServing !== 'boolean' || typeof sinceStartMs !== 'number') return null;
  return typeof line === 'number' && typeof signals === 'number' ? { nodeId, isServing, sinceStartMs, line, signals } : null;
}

/** Reads a message about a device; null for bytes in another form. */
export function readToast(payload: Uint8Array): Toast | null {
  const [nodeId, deviceId, severity, text] = readItems(payload);
  if (!isNodeId(nodeId) || typeof deviceId !== 'string' || !isSeverity(severity)) return null;
  return typeof text === 'string' && text.length <= MAXIMUM_TOAST_LENGTH ? { nodeId, deviceId, severity, text } : null;
}

/** Reads the devices that have changed; null for bytes in another form. */
export function readChanged(payload: Uint8Array): Changed | null {
  const [nodeId, ids, number = 0] = readItems(payload);
  if (!isNodeId(nodeId) || typeof number !== 'number') return null;
  if (ids === null) return { nodeId, ids: 'all', number };
  if (!(ids instanceof Uint8Array) || ids.length % ID_BYTES !== 0 || ids.length > MAXIMUM_SIGNAL_IDS * ID_BYTES) return null;
  const count = ids.length / ID_BYTES;
  return { nodeId, ids: Array.from({ length: count }, (_, index) => ids.subarray(index * ID_BYTES, (index + 1) * ID_BYTES)), number };
}

const SEVERITIES: ReadonlySet<unknown> = new Set(Object.values(MessageSeverity));
const isSeverity = (value: unknown): value is MessageSeverity => SEVERITIES.has(value);

const NODE_ID = /^[\w-]{1,64}$/;
const isNodeId = (value: unknown): value is string => typeof value === 'string' && NODE_ID.test(value);

function readItems(payload: Uint8Array): readonly unknown[] {
  const value = readValue(payload);
  return Array.isArray(value) ? value : [];
}

/** The 16 bytes of a GUID, in the order of its text. */
export function bytesOfGuid(guid: string): Buffer {
  return Buffer.from(guid.replaceAll('-', ''), 'hex');
}

export function guidOfBytes(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
