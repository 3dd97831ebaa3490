const PORTS = { least: 1, most: 65_535, usual: 5900 } as const;

/** A port out of an address or a field; the usual one of VNC servers where there is none. */
export function portOf(text: string | undefined): number {
  const port = Number(text);
  return text !== undefined && Number.isInteger(port) && port >= PORTS.least && port <= PORTS.most ? port : PORTS.usual;
}
