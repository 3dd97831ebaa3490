/** Most bytes of a viewer's message, its frame included. */
export const MAX_VIEWER_MESSAGE_BYTES = 64 * 1024;
/** Most bytes of a message that carries text: clipboard text, and text to type. */
export const MAX_TEXT_MESSAGE_BYTES = 1024 * 1024;
/** Most bytes of an agent's message. An uncompressed display of 7680 × 4320 pixels has twice as many. */
export const MAX_AGENT_MESSAGE_BYTES = 64 * 1024 * 1024;
/** Most regions in one update of the screen. */
export const MAX_REGIONS = 10_000;
/** Most displays of a device. */
export const MAX_DISPLAYS = 256;
/** Longest name or value in the metrics of a capture, in UTF-16 code units. */
export const MAX_METRIC_LENGTH = 1024;
/** Longest picture of a pointer in base64. */
export const MAX_CURSOR_LENGTH = 1024 * 1024;
/** Most video codecs that a viewer names. */
export const MAX_CODECS = 32;
