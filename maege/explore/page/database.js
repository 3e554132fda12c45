// DuckDB in the browser, with the marts attached and access to other files disabled.
import {AsyncDuckDB, DuckDBDataProtocol, VoidLogger} from '@duckdb/duckdb-wasm';
import {Table} from 'apache-arrow';
import {bytesOf, textOf} from './files.js';

// From this size on, only the parts of the file that a query needs are read, if the server supports it.
const LARGE = 50e6;
// Code at the start of the worker: it receives the engine's bytes and returns a blob address for
// them. A page opened from a folder cannot load the engine in another way.
const TAKE_ENGINE = `addEventListener('message', function take(event) {
  event.stopImmediatePropagation();
  removeEventListener('message', take);
  const type = 'application/wasm';
  postMessage(URL.createObjectURL(new Blob([event.data], {type})));
});
`;
// Extensions would be fetched from another host.
const SHUT = `
set autoload_known_extensions = false;
set autoinstall_known_extensions = false;
set enable_external_access = false;
set lock_configuration = true;
`;

// Return a connection to the marts; `about` has the name and size of their file.
export async function connect(about) {
  const [script, engine] = await Promise.all([textOf('worker.js'), bytesOf('duckdb.wasm.gz')]);
  // A worker from a blob of the page is subject to the page's policy; a worker with an address is not.
  const worker = new Worker(URL.createObjectURL(new Blob([TAKE_ENGINE, script])));
  const address = await new Promise((resolve, reject) => {
    worker.addEventListener('message', event => resolve(event.data), {once: true});
    worker.addEventListener('error', reject, {once: true});
    worker.postMessage(engine.buffer, [engine.buffer]);
  });
  const database = new AsyncDuckDB(new VoidLogger(), worker);
  await database.instantiate(address, null);
  await database.open({
    query: {castDecimalToDouble: true},
    filesystem: {forceFullHTTPReads: false, reliableHeadRequests: true, allowFullHTTPReads: true},
  });
  const isServed = !document.getElementById(`file-${about.marts}`);
  if (isServed && about.bytes > LARGE) {
    const url = new URL(about.marts, location.href).href;
    await database.registerFileURL('marts', url, DuckDBDataProtocol.HTTP, true);
  } else {
    await database.registerFileBuffer('marts', await bytesOf(about.marts));
  }
  const connection = await database.connect();
  await connection.query(`attach 'marts' as marts (read_only); use marts; ${SHUT}`);
  return connection;
}

// Return the result of a query as an Arrow table; `stop` of the connection cancels it.
export async function ask(connection, query) {
  const batches = [];
  const reader = await connection.send(query, true);
  for await (const batch of reader) batches.push(batch);
  return batches.length ? new Table(batches) : new Table(reader.schema);
}

// Return the description and the columns of each mart.
export async function readMarts(connection) {
  const rows = await connection.query(`
    select table_name as mart, column_name as name, data_type as type, comment as meaning
    from duckdb_columns()
    where database_name = 'marts' and schema_name = 'main'
    order by mart, column_index`);
  const marts = new Map();
  for (const {mart, name, type, meaning} of rows) {
    if (!marts.has(mart)) marts.set(mart, []);
    marts.get(mart).push({name, type, meaning: meaning ?? ''});
  }
  return marts;
}
