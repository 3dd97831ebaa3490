import type { Endpoint } from './endpoint.js';

/** Connections that the server takes unless told otherwise. */
export const DEFAULT_MAX_CONNECTIONS = 100;

/** Server settings by name, for a small node that shares its machine with the service. */
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
    // What is acknowledged is durable.
    synchronous_commit: 'on',
    // Many short queries: compiling them, or sharing one among processes, costs more than it gains, and parallel
    // queries need more shared memory than a container has by default.
    jit: 'off',
    max_parallel_workers_per_gather: '0',
    max_wal_size: '512MB',
    max_logical_replication_workers: '0',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    log_line_prefix: '%m [%p] ',
    // A refused duplicate is everyday business; its statement text is not for the log.
    log_min_error_statement: 'panic',
    ...further,
  };
}
