import type { Endpoint } from './endpoint.js';

/** The number of connections that the server accepts by default. */
export const DEFAULT_MAX_CONNECTIONS = 100;

/** Server settings by name, for a small machine that also runs the service. `further` settings replace these. */
export function serverSettings(
  endpoint: Endpoint,
  maxConnections: number,
  further: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const listen: Record<string, string> =
    endpoint.transport === 'socket'
      ? { listen_addresses: '', unix_socket_directories: endpoint.host, unix_socket_permissions: '0700' }
      : { listen_addresses: endpoint.host, unix_socket_directories: '' };
  return {
    ...listen,
    port: String(endpoint.port),
    max_connections: String(maxConnections),
    shared_buffers: '128MB',
    // A commit is acknowledged when it is on disk.
    synchronous_commit: 'on',
    // Most queries are short: compiling them or running them in parallel costs more than it gains. Parallel queries also need
    // more shared memory than a container has by default.
    jit: 'off',
    max_parallel_workers_per_gather: '0',
    max_wal_size: '512MB',
    max_logical_replication_workers: '0',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    log_line_prefix: '%m [%p] ',
    // Refused duplicates are normal; the log need not show their statements.
    log_min_error_statement: 'panic',
    ...further,
  };
}
