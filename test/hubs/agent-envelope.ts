import type { HubConnection } from '@microsoft/signalr';
import { encodeTimeSpecToTimestamp, ExtData } from '@msgpack/msgpack';
import { getPublicKeyAsync, signAsync } from '@noble/ed25519';

import {
  agentHub,
  signedPayload,
  Timestamp,
  toBase64,
  type DeviceResponseDto,
  type DeviceUpdateRequestDto,
  type Encoding,
  type HubResultOf,
  type SignedDto,
} from '#libs/contracts';

import type { TestApp } from '../support/application/app.js';
import { deviceReport, type KeyedDevice } from '../support/devices/agents.js';

const UNIX_EPOCH_TICKS = 621_355_968_000_000_000n;
const TICKS_PER_SECOND = 10_000_000n;

export type Envelope = SignedDto<DeviceUpdateRequestDto>;
export type UpdateResult = HubResultOf<DeviceResponseDto>;

/** Values of an envelope that differ from a valid one. */
export interface EnvelopeParts {
  readonly report?: Partial<DeviceUpdateRequestDto>;
  readonly timestamp?: Timestamp;
  /** The key in the envelope; by default the key of the signer. */
  readonly publicKey?: string | null;
  /** Ed25519 seed of the signer. */
  readonly seed?: Uint8Array;
}

/** The current time of the server, moved by a number of milliseconds. */
export function serverTime(server: TestApp, milliseconds = 0): Timestamp {
  return Timestamp.fromDate(new Date(server.clock.milliseconds() + milliseconds));
}

const lastTicks = new Map<string, bigint>();

/** The current time of the server, but always later than the last one for the device, so that two reports within a millisecond differ. */
function nextServerTime(server: TestApp, deviceId: string): Timestamp {
  const current = serverTime(server);
  const last = lastTicks.get(deviceId) ?? 0n;
  const next = current.ticks > last ? current : (Timestamp.fromTicks(last + 1n) ?? current);
  lastTicks.set(deviceId, next.ticks);
  return next;
}

/** A signed report of the device. */
export async function envelopeOf(server: TestApp, device: KeyedDevice, parts: EnvelopeParts = {}): Promise<Envelope> {
  const { report = {}, timestamp = nextServerTime(server, device.id), seed = device.seed } = parts;
  const dto = { ...deviceReport(device), ...report };
  const publicKey = parts.publicKey === undefined ? toBase64(await getPublicKeyAsync(seed)) : parts.publicKey;
  return { dto, timestamp, publicKey, signature: await signAsync(signedPayload(dto, timestamp, publicKey), seed) };
}

/** Calls UpdateDeviceSigned with the envelope. */
export async function sendSigned(connection: HubConnection, envelope: Envelope, encoding: Encoding = 'json'): Promise<UpdateResult> {
  const { parameters, returns, name } = agentHub.UpdateDeviceSigned;
  const encoded = Object(parameters[0].encode(envelope, encoding));
  const argument = encoding === 'json' ? encoded : { ...encoded, Timestamp: exactly(envelope.timestamp) };
  return returns.decode(await connection.invoke<unknown>(name, argument), encoding);
}

/** A timestamp as .NET agents write it in MessagePack. The client library of these tests would cut it to milliseconds. */
function exactly({ ticks, offsetMinutes }: Timestamp): [ExtData, number] {
  const sinceUnixEpoch = ticks - UNIX_EPOCH_TICKS;
  const sec = Number(sinceUnixEpoch / TICKS_PER_SECOND);
  const nsec = Number(sinceUnixEpoch % TICKS_PER_SECOND) * 100;
  return [new ExtData(-1, encodeTimeSpecToTimestamp({ sec, nsec })), offsetMinutes];
}

/** Calls UpdateDevice, without a signature. */
export async function sendUnsigned(
  connection: HubConnection,
  dto: DeviceUpdateRequestDto,
  encoding: Encoding = 'json',
): Promise<UpdateResult> {
  const { parameters, returns, name } = agentHub.UpdateDevice;
  return returns.decode(await connection.invoke<unknown>(name, parameters[0].encode(dto, encoding)), encoding);
}

/** The stored row of a device; undefined when there is none. */
export async function rowOf(server: TestApp, id: string): Promise<Record<string, unknown> | undefined> {
  const [found] = await server.dataSource.query<{ row: Record<string, unknown> }[]>(
    'SELECT to_jsonb(d) AS row FROM devices d WHERE d.id = $1',
    [id],
  );
  return found?.row;
}
