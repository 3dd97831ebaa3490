/** About 20 kB a message, as viewers expect. */
const MAX_PIECE_LENGTH = 20_000;
/** The server refuses messages above 100,000 bytes; control characters take six bytes each in JSON. */
const MAX_PIECE_JSON_BYTES = 80_000;

/** Splits output into pieces that fit a message, at line ends where possible. Joined, they are the text again. */
export function splitOutput(text: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    const end = cutAt(text, start);
    pieces.push(...fitting(text.slice(start, end)));
    start = end;
  }
  return pieces;
}

function cutAt(text: string, start: number): number {
  const limit = start + MAX_PIECE_LENGTH;
  if (limit >= text.length) return text.length;
  const lineEnd = text.lastIndexOf('\n', limit - 1);
  return lineEnd >= start ? lineEnd + 1 : beforePair(text, limit);
}

function fitting(piece: string): string[] {
  if (Buffer.byteLength(JSON.stringify(piece)) <= MAX_PIECE_JSON_BYTES) return [piece];
  const middle = beforePair(piece, Math.ceil(piece.length / 2));
  return [...fitting(piece.slice(0, middle)), ...fitting(piece.slice(middle))];
}

/** Moves the cut so that it does not split a surrogate pair. */
function beforePair(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff ? index - 1 : index;
}
