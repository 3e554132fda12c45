#!/usr/bin/env bash
# Superset with the dashboard, on this machine alone: bi/superset/demo.sh MARTS
# Everything that it makes is in .superset; what is there already is not made again.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
folder="${here}/../../.superset"
port="${PORT:-8088}"
mkdir -p "$folder"
folder="$(cd "$folder" && pwd)"
bin="$folder/venv/bin"

if [ ! -e "$folder/ready" ]; then
  echo "Installing Superset into .superset (some minutes, 900 MB) ..."
  "${PYTHON:-python3}" -m venv "$folder/venv"
  "$bin/pip" install --quiet --disable-pip-version-check --requirement "$here/requirements.txt"
  secret="$("$bin/python" -c 'import secrets; print(secrets.token_urlsafe(42))')"
  printf 'SECRET_KEY = "%s"\nSQLALCHEMY_DATABASE_URI = "sqlite:///%s/superset.db"\n' \
    "$secret" "$folder" > "$folder/superset_config.py"
fi
export SUPERSET_CONFIG_PATH="$folder/superset_config.py" FLASK_APP=superset
if [ ! -e "$folder/ready" ]; then
  {
    "$bin/superset" db upgrade
    "$bin/superset" fab create-admin --username admin --firstname Ad --lastname Min \
      --email admin@localhost --password admin
    "$bin/superset" init
    "$bin/python" "$here/pack.py" "$1" "$folder/dashboard.zip"
    "$bin/superset" import-dashboards --path "$folder/dashboard.zip" --username admin
  } > "$folder/setup.log" 2>&1 || { tail -n 20 "$folder/setup.log" >&2; exit 1; }
  touch "$folder/ready"
fi
echo "http://127.0.0.1:$port/superset/dashboard/maege/ as admin, password admin; Ctrl-C ends it."
exec "$bin/superset" run --host 127.0.0.1 --port "$port" > "$folder/run.log" 2>&1
