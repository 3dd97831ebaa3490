import { DeviceUpdateRequestDto } from './dtos/devices.js';
import { MessagePackWriter } from './wire/message-pack-writer.js';
import type { Timestamp } from './wire/timestamp.js';

/**
 * The exact bytes that a device signs with Ed25519: MessagePack of [ the DTO's own MessagePack as binary, the ticks of the
 * clock reading, the public key of the envelope ]. Members go in the order of the descriptor, not of the received JSON.
 */
export function signedPayload(dto: DeviceUpdateRequestDto, timestamp: Timestamp, publicKey: string | null): Uint8Array {
  const inner = new MessagePackWriter();
  DeviceUpdateRequestDto.write(dto, inner);

  const outer = new MessagePackWriter();
  outer.arrayHeader(3);
  outer.binary(inner.bytes());
  outer.unsigned64(timestamp.ticks);
  if (publicKey === null) outer.nil();
  else outer.string(publicKey);
  return outer.bytes();
}
