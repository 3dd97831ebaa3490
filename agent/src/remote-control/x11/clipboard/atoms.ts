import type { XConnection } from '../x-connection.js';

const NAMES = [
  'ATOM_PAIR',
  'CLIPBOARD',
  'CLIPBOARD_MANAGER',
  'INCR',
  'MULTIPLE',
  'SAVE_TARGETS',
  'TARGETS',
  'TIMESTAMP',
  'UTF8_STRING',
  'text/plain;charset=utf-8',
  '_DEVICE_AGENT',
] as const;

/** The numbers that the X server has for names. */
export type Atoms = Readonly<Record<(typeof NAMES)[number], number>>;

/** Numbers that are the same on every server. */
export const ATOM = 4;
export const INTEGER = 19;
export const STRING = 31;

export async function readAtoms(connection: XConnection): Promise<Atoms> {
  const entries = await Promise.all(
    NAMES.map(async (name): Promise<[string, number]> => [
      name,
      await connection.ask<number>((reply) => connection.client.InternAtom(false, name, reply)),
    ]),
  );
  return Object.fromEntries(entries) as Atoms;
}
