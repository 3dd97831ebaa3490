/** Calls at the same time: enough that typing does not wait for each answer, and few enough that a slow device is not flooded. */
const AT_ONCE = 4;
/** The most of one call; the contract allows 100,000 characters. */
const PIECE = 30_000;

/** Sends typed text, in order. Text that is typed while enough calls are under way goes together in one. */
export class InputQueue {
  private waiting = '';
  private underWay = 0;

  constructor(private readonly send: (input: string) => Promise<void>) {}

  type(text: string): void {
    this.waiting += text;
    this.next();
  }

  /** Drops text that was not sent yet: nobody expects it to arrive after a loss of the connection. */
  clear(): void {
    this.waiting = '';
  }

  private next(): void {
    while (this.waiting !== '' && this.underWay < AT_ONCE) {
      const piece = this.waiting.slice(0, endOfPiece(this.waiting));
      this.waiting = this.waiting.slice(piece.length);
      this.underWay += 1;
      void this.send(piece).finally(() => {
        this.underWay -= 1;
        this.next();
      });
    }
  }
}

/** Returns the end of a piece: never between the halves of a character. */
function endOfPiece(text: string): number {
  if (text.length <= PIECE) return text.length;
  const code = text.charCodeAt(PIECE - 1);
  return code >= 0xd800 && code <= 0xdbff ? PIECE - 1 : PIECE;
}
