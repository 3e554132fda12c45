// The page: lists of example queries and marts, the query, its result, and downloads.
import {MOST_SHOWN, asCsv, asParquet, columnsOf, fillTable, rowCount} from './answer.js';
import {bars, measures} from './bars.js';
import {ask, connect, readMarts} from './database.js';
import {editor} from './editor.js';
import {textOf} from './files.js';
import {queryOf, withQuery} from './link.js';

const $ = name => document.getElementById(name);
let connection, view, columns = [];

start().catch(error => say(error.message, true));

async function start() {
  const about = JSON.parse(await textOf('about.json'));
  $('lead').textContent = about.lead;
  connection = await connect(about);
  const marts = await readMarts(connection);
  view = editor($('editor'), marts, run);
  choices($('questions'), about.questions.map(({question, sql}) => [question, sql]));
  choices($('marts'), Array.from(marts.keys(), mart => [mart, `from ${mart}\nlimit 100`]));
  $('run').addEventListener('click', run);
  $('stop').addEventListener('click', () => connection.cancelSent());
  $('measure').addEventListener('change', draw);
  $('csv').addEventListener('click', () => download(asCsv(columns), 'answer.csv', 'text/csv'));
  $('parquet').addEventListener('click', () =>
    download(asParquet(columns), 'answer.parquet', 'application/vnd.apache.parquet'));
  $('copy').addEventListener('click', copyLink);
  addEventListener('hashchange', followLink);
  addEventListener('resize', draw);
  if (!await followLink()) await show(about.questions[0].sql);
}

async function followLink() {
  const query = await queryOf(location.hash);
  if (query !== null && query !== view.state.doc.toString()) await show(query);
  return query !== null;
}

function choices(list, entries) {
  for (const [text, query] of entries) {
    const button = document.createElement('button');
    button.textContent = text;
    button.addEventListener('click', async () => {
      await show(query);
      button.setAttribute('aria-current', 'true');
    });
    list.appendChild(document.createElement('li')).append(button);
  }
}

// Put a query into the editor and run it.
async function show(query) {
  view.dispatch({changes: {from: 0, to: view.state.doc.length, insert: query}});
  await run();
}

async function run() {
  const query = view.state.doc.toString();
  document.querySelector('nav [aria-current]')?.removeAttribute('aria-current');
  say('Asking …');
  busy(true);
  const began = performance.now();
  try {
    columns = columnsOf(await ask(connection, query));
    const rows = rowCount(columns).toLocaleString('en');
    const cut = rowCount(columns) > MOST_SHOWN ? `, the first ${MOST_SHOWN} shown` : '';
    const counted = `${rows} ${rows === '1' ? 'row' : 'rows'}`;
    fillTable($('table'), columns, `${counted}${cut}`);
    offerMeasures();
    history.replaceState(null, '', await withQuery(query));
    say(`${counted} in ${Math.round(performance.now() - began)} ms${cut}`);
  } catch (error) {
    columns = [];
    $('table').replaceChildren();
    offerMeasures();
    say(saidOf(error), true);
  }
  busy(false);
}

// DuckDB returns errors as text or as a record.
function saidOf({message}) {
  try {
    const {exception_type: type, exception_message: said} = JSON.parse(message);
    return `${type} Error: ${said}`;
  } catch {
    return message;
  }
}

function busy(is) {
  $('run').disabled = is;
  $('stop').hidden = !is;
  for (const name of ['csv', 'parquet', 'copy']) $(name).disabled = is || !columns.length;
}

function say(text, isError = false) {
  $('status').textContent = text;
  $('status').className = isError ? 'error' : '';
}

function offerMeasures() {
  const names = measures(columns);
  $('measure').replaceChildren(...names.map(name => new Option(name)));
  $('picture').hidden = !names.length || !rowCount(columns);
  draw();
}

function draw() {
  const picture = bars(columns, $('measure').value, $('bars').clientWidth);
  $('bars').replaceChildren(...(picture ? [picture] : []));
}

async function copyLink() {
  try {
    await navigator.clipboard.writeText(location.href);
    say('The link to this query is copied.');
  } catch {
    say('The link to this query is in the address bar.');
  }
}

function download(content, name, type) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], {type}));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
