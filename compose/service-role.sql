-- Runs once, as the superuser, when the container creates the database: makes the role that the service connects as. It owns its
-- database and is no superuser.
\set password `cat /run/secrets/POSTGRES_PASSWORD`
CREATE ROLE devices LOGIN PASSWORD :'password';
ALTER DATABASE devices OWNER TO devices;
