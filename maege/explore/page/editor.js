// The SQL editor, which completes names of marts and of columns.
import {autocompletion, completionKeymap} from '@codemirror/autocomplete';
import {PostgreSQL, sql} from '@codemirror/lang-sql';
import {HighlightStyle, bracketMatching, syntaxHighlighting} from '@codemirror/language';
import {EditorView, keymap} from '@codemirror/view';
import {tags} from '@lezer/highlight';
import {minimalSetup} from 'codemirror';

// Uses the colours of style.css, which has a dark mode.
const COLOURS = HighlightStyle.define([
  {tag: tags.keyword, color: 'var(--accent)'},
  {tag: [tags.string, tags.number, tags.bool, tags.null], color: 'var(--made)'},
  {tag: tags.comment, color: 'var(--quiet)', fontStyle: 'italic'},
]);

// Return an editor in `parent`; `run` is called for Ctrl-Enter.
export function editor(parent, marts, run) {
  const schema = Object.fromEntries(Array.from(marts, ([mart, columns]) => [mart, {
    self: {label: mart, type: 'class', detail: `${columns.length} columns`},
    children: columns.map(({name, type, meaning}) =>
      ({label: name, type: 'property', detail: type, info: meaning || undefined})),
  }]));
  return new EditorView({
    parent,
    extensions: [
      keymap.of([{key: 'Mod-Enter', run: () => { run(); return true; }}, ...completionKeymap]),
      minimalSetup,
      bracketMatching(),
      autocompletion({icons: false}),
      syntaxHighlighting(COLOURS),
      sql({dialect: PostgreSQL, schema}),
      PostgreSQL.language.data.of({autocomplete: bareColumns(marts)}),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of(
        {'aria-label': 'SQL', 'aria-describedby': 'keys', tabindex: '0'}),
    ],
  });
}

// Columns of marts in the query come first.
function bareColumns(marts) {
  const owners = new Map();
  for (const [mart, columns] of marts) {
    for (const column of columns) {
      if (!owners.has(column.name)) owners.set(column.name, []);
      owners.get(column.name).push({mart, ...column});
    }
  }
  return context => {
    const word = context.matchBefore(/\w+/);
    if (!word || context.state.sliceDoc(word.from - 1, word.from) === '.') return null;
    const named = new Set(context.state.doc.toString().match(/\w+/g));
    const options = Array.from(owners, ([label, places]) => {
      const near = places.find(({mart}) => named.has(mart));
      const {mart, meaning} = near ?? places[0];
      const detail = near || places.length === 1 ? mart : `in ${places.length} marts`;
      const info = meaning || undefined;
      return {label, detail, info, type: 'property', boost: near ? 2 : 0};
    });
    return {from: word.from, options, validFor: /^\w*$/};
  };
}
