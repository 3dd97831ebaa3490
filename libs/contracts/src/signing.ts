import { MessagePackWriter, plainMemory } from '#libs/signalr/wire';
import { DeviceUpdateRequestDto } from './dtos/devices.js';
import type { Timestamp } from './wire/timestamp.js';

const writer = new MessagePackWriter(plainMemory);

/**
 * The bytes that a device signs with Ed25519: a MessagePack array of the DTO (its own MessagePack, as binary), the ticks of the timestamp,
 * and the public key of the envelope. The members of the DTO come in the order of its descriptor, not in that of the JSON that arrived.
 */
export function signedPayload(dto: DeviceUpdateRequestDto, timestamp: Timestamp, publicKey: string | null): Uint8Array {
  writer.begin();
  DeviceUpdateRequestDto.write(dto, writer);
  const signed = writer.end();

  writer.begin();
  writer.arrayHeader(3);
  writer.bytes(signed);
  writer.unsigned64(timestamp.ticks);
  if (publicKey === null) writer.nil();
  else writer.text(publicKey);
  return writer.end();
}
