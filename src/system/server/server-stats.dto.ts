import { Int } from '../../platform/http/binding/fields.js';

export class ServerStatsDto {
  @Int('Number of tenants.', { example: 12 }) totalTenants: number;
  @Int('Number of devices whose agent is connected.', { example: 1840 }) onlineAgents: number;
  @Int('Number of devices.', { example: 2115 }) totalAgents: number;
  @Int('Number of users who are connected to the viewer hub.', { example: 9 }) onlineUsers: number;
  @Int('Number of users.', { example: 57 }) totalUsers: number;
}
