import { api, bodyOf } from '../client.js';

/** The first devices that a text finds. */
export const findDevices = async (searchText: string, signal: AbortSignal) =>
  (await bodyOf(api.POST('/api/v1/devices/search', { body: { searchText, page: 0, pageSize: 20 }, signal }))).items ?? [];
