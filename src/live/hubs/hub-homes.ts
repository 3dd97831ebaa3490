import type { ConnectionHomes, HomesOptions } from '#libs/signalr';

/** The injection token of {@link HubHomes}. A service of one node provides nothing under it. */
export const HUB_HOMES = Symbol('HubHomes');

/** Makes the homes of a hub's connections, where other nodes have some of them. */
export type HubHomes = (hub: HomesOptions) => ConnectionHomes;
