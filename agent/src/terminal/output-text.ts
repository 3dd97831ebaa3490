/** Largest piece, in characters: about 20 kB a message, as viewers expect. */
const MAX_PIECE_LENGTH = 20_000;
/** The server refuses messages above 100,000 bytes; control characters take six bytes each in JSON. */
const MAX_PIECE_JSON_BYTES = 80_000;

/** Returns as much of an output as fits a message, up to a line end where possible. In order, the pieces are the text again. */
export function firstPiece(text: string): string {
  let piece = text.slice(0, cutAt(text));
  while (Buffer.byteLength(JSON.stringify(piece)) > MAX_PIECE_JSON_BYTES)
    piece = piece.slice(0, beforePair(piece, Math.ceil(piece.length / 2)));
  return piece;
}

function cutAt(text: string): number {
  if (text.length <= MAX_PIECE_LENGTH) return text.length;
  const lineEnd = text.lastIndexOf('\n', MAX_PIECE_LENGTH - 1);
  return lineEnd >= 0 ? lineEnd + 1 : beforePair(text, MAX_PIECE_LENGTH);
}

/** Moves the cut so that it does not split a surrogate pair. */
function beforePair(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff ? index - 1 : index;
}
