import { DeviceUpdateRequestDto } from './dtos/devices.js';
import { MessagePackWriter } from './wire/message-pack-writer.js';
import type { Timestamp } from './wire/timestamp.js';

/** Used again for each report, because to make a buffer takes longer than to fill it. */
const inner = new MessagePackWriter();
const outer = new MessagePackWriter();

/**
 * The bytes that a device signs with Ed25519: a MessagePack array of the DTO (its own MessagePack, as binary), the ticks of the timestamp,
 * and the public key of the envelope. The members of the DTO come in the order of its descriptor, not in that of the JSON that arrived.
 */
export function signedPayload(dto: DeviceUpdateRequestDto, timestamp: Timestamp, publicKey: string | null): Uint8Array {
  inner.clear();
  DeviceUpdateRequestDto.write(dto, inner);

  outer.clear();
  outer.arrayHeader(3);
  outer.binary(inner.written);
  outer.unsigned64(timestamp.ticks);
  if (publicKey === null) outer.nil();
  else outer.string(publicKey);
  return outer.bytes();
}
