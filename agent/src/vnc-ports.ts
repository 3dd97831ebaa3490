/** The first and the last port of a range. */
type PortRange = readonly [first: number, last: number];

/** The ports at which VNC servers listen by default, one for each display. */
export const USUAL_VNC_PORTS = '5900-5909';

const RANGE = /^(\d{1,5})(?:-(\d{1,5}))?$/;
const HIGHEST_PORT = 65_535;

/** The ports of this device that VNC sessions may reach. */
export class VncPorts {
  private constructor(
    private readonly ranges: readonly PortRange[],
    private readonly text: string,
  ) {}

  /** Reads ports and ranges such as `5900-5909,6001`; an empty text allows none. Undefined when the text is something else. */
  static parse(text: string): VncPorts | undefined {
    const ranges: PortRange[] = [];
    for (const part of text.split(',').filter((entry) => entry.trim() !== '')) {
      const [, first, last = first] = RANGE.exec(part.trim()) ?? [];
      const range: PortRange = [Number(first), Number(last)];
      if (!(range[0] >= 1 && range[0] <= range[1] && range[1] <= HIGHEST_PORT)) return undefined;
      ranges.push(range);
    }
    return new VncPorts(ranges, text);
  }

  /** Returns true if a session may reach the port. */
  allow(port: number): boolean {
    return this.ranges.some(([first, last]) => port >= first && port <= last);
  }

  toString(): string {
    return this.text.trim() === '' ? 'none' : this.text;
  }
}
