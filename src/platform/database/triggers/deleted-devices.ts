/** The ids of deleted devices. A device must not come back by itself, whichever statement or cascade deleted it. */
export const deletedDevices: readonly string[] = [
  `CREATE FUNCTION note_deleted_devices() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     INSERT INTO deleted_devices (id) SELECT id FROM deleted ON CONFLICT (id) DO UPDATE SET deleted_at = EXCLUDED.deleted_at;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER note_deleted_devices AFTER DELETE ON devices REFERENCING OLD TABLE AS deleted
     FOR EACH STATEMENT EXECUTE FUNCTION note_deleted_devices()`,
];
