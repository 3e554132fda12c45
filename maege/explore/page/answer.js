// A query result as plain columns, and its conversion to a table, CSV and Parquet.
import {DataType} from 'apache-arrow';
import {parquetWriteBuffer} from 'hyparquet-writer';

export const MOST_SHOWN = 500;
const PARQUET = {
  integer: ['INT64', BigInt],
  number: ['DOUBLE', Number],
  boolean: ['BOOLEAN', Boolean],
  time: ['TIMESTAMP', value => value],
  text: ['STRING', String],
};

// Return for each column of an Arrow table its name, its kind and its values, NULL as null.
export function columnsOf(table) {
  return table.schema.fields.map((field, n) => {
    const kind = kindOf(field.type);
    const values = Array.from(table.getChildAt(n) ?? [], value => plain(value, kind));
    return {name: field.name, kind, values};
  });
}

function kindOf(type) {
  if (DataType.isInt(type)) return 'integer';
  if (DataType.isFloat(type) || DataType.isDecimal(type)) return 'number';
  if (DataType.isBool(type)) return 'boolean';
  if (DataType.isTimestamp(type) || DataType.isDate(type)) return 'time';
  return 'text';
}

function plain(value, kind) {
  if (value == null) return null;
  if (kind === 'time') return new Date(Number(value));
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (kind !== 'text' || typeof value === 'string') return value;
  return JSON.stringify(value, (_, part) => typeof part === 'bigint' ? String(part) : part);
}

// Return a value as people read it.
export function shown(value, kind) {
  if (value === null) return '';
  if (kind !== 'number' || Number.isInteger(value)) return exact(value, kind);
  if (Math.abs(value) < .0005) return value.toExponential(1);
  return value.toFixed(Math.abs(value) < 100 ? 3 : 1);
}

function exact(value, kind) {
  if (value === null) return '';
  if (kind !== 'time') return String(value);
  return value.toISOString().replace('T', ' ').replace(/(\.000)?Z$/, '');
}

// Fill an HTML table with the first rows.
export function fillTable(table, columns, caption) {
  const head = document.createElement('thead').appendChild(document.createElement('tr'));
  const body = document.createElement('tbody');
  for (const {name, kind} of columns) {
    const cell = document.createElement('th');
    cell.scope = 'col';
    cell.textContent = name;
    cell.className = isNumeric(kind) ? 'n' : '';
    head.append(cell);
  }
  const count = Math.min(rowCount(columns), MOST_SHOWN);
  for (let n = 0; n < count; n++) {
    const row = body.insertRow();
    for (const {kind, values} of columns) {
      const cell = row.insertCell();
      cell.textContent = shown(values[n], kind);
      cell.className = isNumeric(kind) ? 'n' : '';
    }
  }
  const title = document.createElement('caption');
  title.textContent = caption;
  table.replaceChildren(title, head.parentNode, body);
}

export function rowCount(columns) {
  return columns[0]?.values.length ?? 0;
}

export function isNumeric(kind) {
  return kind === 'integer' || kind === 'number';
}

export function asCsv(columns) {
  const quoted = text => /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const lines = [columns.map(({name}) => quoted(name)).join(',')];
  for (let n = 0; n < rowCount(columns); n++) {
    // An empty string is quoted, because an empty field means NULL.
    lines.push(columns.map(({kind, values}) =>
      values[n] === '' ? '""' : quoted(exact(values[n], kind))).join(','));
  }
  return `${lines.join('\n')}\n`;
}

export function asParquet(columns) {
  return parquetWriteBuffer({
    columnData: columns.map(({name, kind, values}) => {
      const [type, convert] = PARQUET[kind];
      const data = values.map(value => value === null ? null : convert(value));
      return {name, type, data, nullable: true};
    }),
  });
}
