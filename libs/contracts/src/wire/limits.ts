// Limits of what is read from the other side. Lengths of strings are in UTF-16 code units, lengths of binary data in bytes.

/** Names of things and people, versions, addresses. */
export const MAX_NAME_LENGTH = 1024;
/** The longest path of any supported system: the long form of Windows. */
export const MAX_PATH_LENGTH = 32_767;
export const MAX_URI_LENGTH = 8192;
/** Chat messages, terminal lines, reasons. */
export const MAX_TEXT_LENGTH = 100_000;
export const MAX_IDENTIFIER_LENGTH = 256;
/** Most items of a list, unless the list has a limit of its own. */
export const MAX_ITEMS = 10_000;
/** Most features that an agent announces. */
export const MAX_FEATURES = 100;
/** One chunk of a file, one wrapped message. */
export const MAX_BINARY_LENGTH = 1024 * 1024;
/** Most bytes of a file in one stream item. */
export const FILE_CHUNK_BYTES = 30 * 1024;
/** Most file system entries in one stream item. */
export const LISTING_CHUNK_ENTRIES = 100;
/** Most device ids in one heartbeat subscription. */
export const MAX_SUBSCRIPTION_IDS = 100;
/** Most devices that one connection is subscribed to. */
export const MAX_SUBSCRIPTIONS = 10_000;

/** A number for people to read: `10,000`. */
export function inWords(limit: number): string {
  return limit.toLocaleString('en-US');
}
