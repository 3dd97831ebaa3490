/**
 * A token ends with the key or token that it was made with, and so do the tokens that were made with it, whatever statement or
 * cascade ends that credential. All are ended at once: triggers that call each other would fail in a long chain.
 *
 * The sessions that a logon token opened end with it. Its assignments, which are otherwise left to a background job, go at once.
 */
export const issuedTokens: readonly string[] = [
  `CREATE FUNCTION end_made_tokens() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE
     ended uuid[];
   BEGIN
     WITH RECURSIVE made(id) AS (
       SELECT OLD.id
       UNION
       SELECT token.id FROM made CROSS JOIN LATERAL (
         SELECT t.id FROM personal_access_tokens t WHERE t.made_with_credential_id = made.id
         UNION ALL
         SELECT t.id FROM logon_tokens t WHERE t.made_with_credential_id = made.id) token
     )
     SELECT array_agg(id) INTO ended FROM made WHERE id <> OLD.id;
     IF ended IS NULL THEN RETURN NULL; END IF;
     DELETE FROM personal_access_tokens WHERE id = ANY(ended);
     DELETE FROM logon_tokens WHERE id = ANY(ended);
     DELETE FROM permission_assignments WHERE principal_kind = 'LogonToken' AND principal_id = ANY(ended);
     RETURN NULL;
   END $$`,
  ...['service_account_credentials', 'personal_access_tokens', 'logon_tokens'].map(
    (table) => `CREATE TRIGGER end_made_tokens AFTER DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION end_made_tokens()`,
  ),
  ...['service_account_credentials', 'personal_access_tokens'].map(
    (table) => `CREATE TRIGGER end_made_tokens_on_revocation AFTER UPDATE OF revoked_at ON ${table} FOR EACH ROW
     WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION end_made_tokens()`,
  ),
];
