import type { FileUploadMetadata, HubResult } from '#libs/contracts';

import type { ErrorCode } from '../../../platform/common/errors/errors.js';

/*
 * The request by which a node lets another one write the file of a viewer on a device: the path with the device, a body of the length of the
 * metadata (4 bytes), the metadata and the file, and a trailer with the reason if the file has ended too early. The file is sent once the
 * other node has said by a status in between that the agent reads it.
 */

/** Path of these requests, without the device. */
export const UPLOADS_PATH = '/uploads';
/** Parameter of the path with the device's id. */
export const DEVICE_PARAMETER = 'device';
/** Status in between by which the file is asked for. */
export const WANTED = 102;
/** Trailer with the reason for which the file has ended too early, in base64. */
export const FAILURE_TRAILER = 'x-upload-failure';
/** Most bytes of the metadata. */
const MAXIMUM_METADATA = 65_536;
const LENGTH_BYTES = 4;

/** The answer to these requests. */
export type UploadAnswer = { readonly result: HubResult } | { readonly refusal: { readonly code: ErrorCode; readonly message: string } };

/** The beginning of the body. */
export function writeMetadata(metadata: FileUploadMetadata): Buffer {
  const text = Buffer.from(JSON.stringify(metadata));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, text]);
}

/** Reads the beginning of a body. @throws Error when the body ends before, or is none of a node */
export async function readMetadata(parts: AsyncIterator<Buffer>): Promise<FileUploadMetadata> {
  let read: Buffer = Buffer.alloc(0);
  const needed = (): number => (read.length < LENGTH_BYTES ? LENGTH_BYTES : LENGTH_BYTES + read.readUInt32BE());
  while (read.length < needed()) {
    if (needed() > MAXIMUM_METADATA) throw new Error('The metadata of an upload is too long.');
    const next = await parts.next();
    if (next.done === true) throw new Error('An upload ended before its metadata.');
    read = Buffer.concat([read, next.value]);
  }
  // Only a node could send it, and it sends nothing more yet.
  return JSON.parse(read.subarray(LENGTH_BYTES).toString()) as FileUploadMetadata;
}
