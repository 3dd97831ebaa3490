import { Int } from '../http/binding/fields.js';

export class ServerStatsDto {
  @Int('') totalTenants: number;
  @Int('') onlineAgents: number;
  @Int('') totalAgents: number;
  @Int('') onlineUsers: number;
  @Int('') totalUsers: number;
}
