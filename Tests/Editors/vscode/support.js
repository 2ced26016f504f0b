'use strict';
// What the tests of the extension share.

const path = require('node:path');
const nodeTest = require('node:test');
const { DEADLINE, Editor } = require('./stub/editor');

const FAKE = path.join(__dirname, 'fake-server.js');
const PIPELINE = path.resolve(process.env.PIPELINE ?? path.join(__dirname, '../../../.build/debug/pipeline'));

/** A test that fails if it does not end. */
const test = (name, body) => nodeTest(name, { timeout: 3 * DEADLINE }, body);

/** A folder in which nothing is, for documents that are only in the editor. */
const FOLDER = '/nowhere/Pipelines';

/** An editor with the extension and a program; it is closed after the test. */
function start(context, { program = PIPELINE, settings = {}, delays, folder } = {}) {
  const editor = new Editor({ settings: { 'pipeline.path': program, ...settings }, folder });
  const { client } = editor.activate({ delays });
  context.after(() => editor.close());
  return { editor, client };
}

/** An editor with the fake server, which does as `script` says. */
async function startFake(context, script, options) {
  process.env.FAKE = JSON.stringify(script);
  const { editor, client } = start(context, { program: FAKE, ...options });
  await editor.until(() => client.connection, 'the fake server');
  return {
    editor, client,
    received: async (method) => (await client.connection.request('fake/received')).filter((one) => one.method === method),
    answer: (results) => client.connection.request('fake/results', results),
    ask: (method, params) => client.connection.request('fake/ask', { method, params }),
    notify: (method, params) => client.connection.request('fake/notify', { method, params }),
  };
}

/** The text without its marks ‸, and the place of each, as a line and UTF-16 units. */
function marked(text) {
  const places = [];
  let rest = text;
  for (let index = rest.indexOf('‸'); index >= 0; index = rest.indexOf('‸')) {
    const lines = rest.slice(0, index).split('\n');
    places.push({ line: lines.length - 1, character: lines.at(-1).length });
    rest = rest.slice(0, index) + rest.slice(index + 1);
  }
  return { text: rest, places };
}

/** A range without its class, for comparison. */
const plain = ({ start: { line, character }, end }) =>
  ({ start: { line, character }, end: { line: end.line, character: end.character } });

module.exports = { FAKE, FOLDER, PIPELINE, marked, plain, start, startFake, test };
