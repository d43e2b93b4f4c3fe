#!/bin/sh
# Runs once, when the volume of the database is empty. The service's role owns its database and is no superuser. The
# superuser has no password afterwards: it connects inside the container alone (docker compose exec postgres psql -U postgres).
psql --username postgres --set ON_ERROR_STOP=1 --set password="$(cat /run/secrets/postgres_password)" <<'SQL'
create role doorstep login password :'password';
create database doorstep owner doorstep;
alter role postgres password null;
SQL
