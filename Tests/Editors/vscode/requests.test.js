'use strict';
// What a server may ask of the editor.

const assert = require('node:assert');
const { FOLDER, startFake, test } = require('./support');

const URI = 'file:///nowhere/Pipelines/a.yaml';
const EDIT = { range: { start: { line: 0, character: 10 }, end: { line: 0, character: 11 } }, newText: 'b' };

async function open(context, script = {}, options = {}) {
  const fake = await startFake(context, script, options);
  const document = fake.editor.open(`${FOLDER}/a.yaml`, 'pipeline: a\n');
  // The server has the document when it has responded.
  await fake.received('textDocument/didOpen');
  return { ...fake, document };
}

test('an unknown request is refused', async (context) => {
  const { ask } = await open(context);
  assert.deepStrictEqual(await ask('workspace/unknown'), { error: { code: -32601, message: "unknown method 'workspace/unknown'" } });
});

test('a notification that cannot be understood is logged, and the next messages are read', async (context) => {
  const { editor, ask, notify } = await open(context);
  await notify('textDocument/publishDiagnostics', { uri: URI, diagnostics: [{ message: 'without a range' }] });
  await notify('unknown/notification', null);
  assert.deepStrictEqual(await ask('workspace/workspaceFolders'), null);
  assert.ok(editor.log.some((line) => line.startsWith('textDocument/publishDiagnostics: ')), editor.log.join('\n'));
});

test('an edit of an older text or of an unknown document is refused, and one of the current text is applied', async (context) => {
  const { ask, document } = await open(context);
  const apply = (uri, version) => ask('workspace/applyEdit', { edit: { documentChanges: [{ textDocument: { uri, version }, edits: [EDIT] }] } });
  assert.deepStrictEqual(await apply(URI, 7), { applied: false, failureReason: 'The document has changed in the meantime. Try again.' });
  assert.deepStrictEqual(await apply('file:///nowhere/b.yaml', null), { applied: false });
  assert.strictEqual(document.text, 'pipeline: a\n');
  assert.deepStrictEqual(await apply(URI, 1), { applied: true });
  assert.strictEqual(document.text, 'pipeline: b\n');
  // A server that does not know the version means the current text.
  assert.deepStrictEqual(await apply(URI, null), { applied: true });
  assert.strictEqual(document.version, 3);
});

test('configuration is the settings, and null for what is not there', async (context) => {
  const { ask } = await open(context, {}, { settings: { other: null } });
  const items = [{ section: 'pipeline.detect' }, { section: 'other', scopeUri: URI }];
  assert.deepStrictEqual(await ask('workspace/configuration', { items }), [true, null]);
});

test('folders are those of the window', async (context) => {
  const { ask } = await open(context, {}, { folder: __dirname });
  assert.deepStrictEqual(await ask('workspace/workspaceFolders'), [{ uri: `file://${__dirname}`, name: 'folder' }]);
});

test('messages are shown by their level, and a choice is returned', async (context) => {
  const { editor, ask, notify } = await open(context);
  for (const type of [1, 2, 3, 4]) await notify('window/showMessage', { type, message: `m${type}` });
  await notify('window/logMessage', { type: 4, message: 'logged' });
  const actions = [{ title: 'Yes', data: 1 }, { title: 'No', data: 2 }];
  assert.strictEqual(await ask('window/showMessageRequest', { type: 1, message: 'sure?', actions }), null);
  editor.choose = (text, choices) => choices[1];
  assert.deepStrictEqual(await ask('window/showMessageRequest', { type: 1, message: 'sure?', actions }), actions[1]);
  assert.deepStrictEqual(editor.messages.slice(0, 4).map((one) => one.level), ['error', 'warning', 'information', 'information']);
  assert.ok(editor.log.includes('logged'));
});

test('documents are shown in the editor or outside', async (context) => {
  const { editor, ask } = await open(context);
  assert.deepStrictEqual(await ask('window/showDocument', { uri: 'https://x.test/', external: true }), { success: true });
  assert.deepStrictEqual(await ask('window/showDocument', { uri: URI, selection: EDIT.range }), { success: true });
  assert.deepStrictEqual(editor.executed, [['openExternal', 'https://x.test/'], ['showTextDocument', URI]]);
});

test('features can be registered and unregistered later, and unknown ones are ignored', async (context) => {
  const { editor, ask } = await open(context);
  await ask('client/registerCapability', { registrations: [
    { id: '1', method: 'textDocument/hover', registerOptions: {} }, { id: '2', method: 'textDocument/unknown' },
  ] });
  assert.deepStrictEqual(editor.providers.map((one) => one.kind), ['Hover']);
  await ask('client/unregisterCapability', { unregisterations: [{ id: '1', method: 'textDocument/hover' }, { id: '2' }] });
  assert.deepStrictEqual(editor.providers, []);
});

test('changes of watched files are reported until nothing is watched', async (context) => {
  const { editor, ask, received } = await open(context);
  const watchers = [{ globPattern: '**/*.yaml' }, { globPattern: '**/*.json', kind: 2 }];
  await ask('client/registerCapability', { registrations: [
    { id: '1', method: 'workspace/didChangeWatchedFiles', registerOptions: { watchers } },
  ] });
  assert.deepStrictEqual(editor.watchers.map((one) => one.ignored), [[false, false, false], [true, false, true]]);
  const uri = { toString: () => 'file:///b.yaml' };
  const { emitters } = editor.watchers[0];
  for (const emitter of Object.values(emitters)) emitter.fire(uri);
  const changes = (await received('workspace/didChangeWatchedFiles')).flatMap((one) => one.params.changes);
  assert.deepStrictEqual(changes, [1, 2, 3].map((type) => ({ uri: 'file:///b.yaml', type })));
  await ask('client/unregisterCapability', { unregisterations: [{ id: '1' }] });
  assert.deepStrictEqual(editor.watchers, []);
});
