/** The columns of which `search_text` is made. A test compares them with the table of device fields. */
const SEARCHED_COLUMNS = [
  'name',
  'alias',
  'dns_host_name',
  'os_description',
  'agent_version',
  'public_ip_v4',
  'public_ip_v6',
  'local_ip_v4',
  'local_ip_v6',
  'current_users',
  'mac_addresses',
];

/** The columns of the details that agents report. A test compares them with the table of device fields. */
const DETAIL_COLUMNS = [
  'name',
  'agent_version',
  'dns_host_name',
  'os_description',
  'local_ip_v4',
  'local_ip_v6',
  'processor_count',
  'is64_bit',
  'os_architecture',
  'platform',
  'current_users',
  'mac_addresses',
  'drives',
];

const columnsOf = (row: string, columns: readonly string[]): string => columns.map((column) => `${row}.${column}`).join(', ');

/**
 * Columns of devices that the database maintains itself: search texts, which a trigram index covers, and `is_tagged`; and `details_digest`,
 * as far as something else than a report changes the details.
 */
export const derivedColumns: readonly string[] = [
  // The index only knows trigrams of letters and digits, so that it would find "pc-e" wherever any words end with "pc" and begin with
  // "e". Capital letters, which a text in lower case has none of, stand for the characters between words.
  `CREATE FUNCTION searchable(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
     SELECT translate(lower($1), E'-.:_/ \\n()@,', 'QXJZKWYVHGP')
   $$`,
  // A table of its own: the many updates of devices that change other columns need not touch the index.
  `CREATE FUNCTION store_device_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     INSERT INTO device_search_texts (device_id, search_text)
     VALUES (NEW.id, searchable(concat_ws(E'\\n', NEW.name, NEW.alias, NEW.dns_host_name, NEW.os_description, NEW.agent_version,
       NEW.public_ip_v4, NEW.public_ip_v6, NEW.local_ip_v4, NEW.local_ip_v6,
       array_to_string(NEW.current_users, E'\\n'), array_to_string(NEW.mac_addresses, E'\\n'), NEW.id::text)))
     ON CONFLICT (device_id) DO UPDATE SET search_text = EXCLUDED.search_text;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER device_search_text_on_insert AFTER INSERT ON devices FOR EACH ROW EXECUTE FUNCTION store_device_search_text()`,
  // Most updates are heartbeats, which change none of these columns.
  `CREATE TRIGGER device_search_text_on_update AFTER UPDATE ON devices FOR EACH ROW
     WHEN ((${columnsOf('NEW', SEARCHED_COLUMNS)}) IS DISTINCT FROM (${columnsOf('OLD', SEARCHED_COLUMNS)})) EXECUTE FUNCTION store_device_search_text()`,

  // Reports write the digest together with the details. Processes of earlier releases, registrations and statements by hand do not. The trigger
  // runs afterwards, because one that runs before would lock the row of every heartbeat once more.
  `CREATE FUNCTION forget_details_digest() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     UPDATE devices SET details_digest = '' WHERE id = NEW.id;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER device_details_changed AFTER UPDATE OF ${DETAIL_COLUMNS.join(', ')} ON devices FOR EACH ROW
     WHEN (NEW.details_digest <> '' AND NEW.details_digest = OLD.details_digest
       AND (${columnsOf('NEW', DETAIL_COLUMNS)}) IS DISTINCT FROM (${columnsOf('OLD', DETAIL_COLUMNS)})) EXECUTE FUNCTION forget_details_digest()`,

  `CREATE FUNCTION set_device_tagged() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF TG_OP = 'INSERT' THEN
       UPDATE devices SET is_tagged = TRUE WHERE id = NEW.device_id AND NOT is_tagged;
     ELSE
       UPDATE devices SET is_tagged = FALSE
       WHERE id = OLD.device_id AND is_tagged AND NOT EXISTS (SELECT 1 FROM device_tags WHERE device_id = OLD.device_id);
     END IF;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER device_tagged AFTER INSERT OR DELETE ON device_tags FOR EACH ROW EXECUTE FUNCTION set_device_tagged()`,
];
