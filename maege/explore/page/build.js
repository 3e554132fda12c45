// Bundles the script of the page, and adds DuckDB and the licences of all parts.
import {mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {gzipSync} from 'node:zlib';
import {build} from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, '..', 'static');
const engine = dirname(createRequire(import.meta.url).resolve('@duckdb/duckdb-wasm'));
// Licences of libraries inside the engine's bundles, and of a package without a licence file.
const WITHIN_THE_ENGINE = ['apache-arrow', 'flatbuffers', 'tslib'];
const OF_THE_ENGINE = `MIT License

Copyright 2021 DuckDB WASM Contributors
(see https://github.com/duckdb/duckdb-wasm/graphs/contributors)
Copyright 2018-2025 Stichting DuckDB Foundation
`;

const built = await build({
  entryPoints: [join(here, 'explorer.js')],
  bundle: true,
  format: 'iife',
  legalComments: 'none',
  metafile: true,
  minify: true,
  outfile: 'explorer.js',
  target: 'es2022',
  write: false,
});
rmSync(out, {force: true, recursive: true});
mkdirSync(out, {recursive: true});
writeFileSync(join(out, 'explorer.js'), built.outputFiles[0].contents);
writeFileSync(join(out, 'worker.js'), readFileSync(join(engine, 'duckdb-browser-eh.worker.js')));
writeFileSync(
  join(out, 'duckdb.wasm.gz'), gzipSync(readFileSync(join(engine, 'duckdb-eh.wasm')), {level: 9}));
writeFileSync(join(out, 'licences.txt'), licences(Object.keys(built.metafile.inputs)));

// Return the licences of the packages of the files as one text.
function licences(files) {
  const found = files.map(file => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]);
  const names = [...new Set([...found.filter(Boolean), ...WITHIN_THE_ENGINE])].sort();
  const mit = licence('codemirror').replace(/^[^]*?(?=Permission is hereby)/, '');
  return names.map(name => {
    const about = JSON.parse(readFileSync(join(here, 'node_modules', name, 'package.json')));
    const text = licence(name) ?? (name === '@duckdb/duckdb-wasm' && `${OF_THE_ENGINE}\n${mit}`);
    if (!text) throw Error(`${name}: its package has no licence`);
    return `${name} ${about.version}\n${'='.repeat(60)}\n${text.trim()}\n`;
  }).join('\n\n');
}

function licence(name) {
  for (const file of ['LICENSE', 'LICENSE.txt', 'LICENSE.md']) {
    try {
      return readFileSync(join(here, 'node_modules', name, file), 'utf8');
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
  }
  return null;
}
