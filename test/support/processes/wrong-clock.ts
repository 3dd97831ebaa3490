/** The environment of a process whose clock is ahead by so many milliseconds, or behind when they are negative. */
export function withClock(aheadMs: number): Record<string, string> {
  const program = `
    const Right = Date;
    globalThis.Date = class extends Right {
      constructor(...parts) { super(...(parts.length === 0 ? [Right.now() + ${aheadMs}] : parts)); }
      static now() { return Right.now() + ${aheadMs}; }
    };`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}` };
}
