'use strict';
// The server's process: missing, crashing, ending, and which documents it gets.

const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { FAKE, FOLDER, PIPELINE, start, startFake, test } = require('./support');
const { PACKAGE } = require('./stub/editor');

const WRONG = 'pipeline: hello\nsteps: 1\n';

/** Kills the server as the system does when memory runs out, and waits for the next. */
async function kill(editor, client) {
  const before = client.process.child;
  process.kill(before.pid, 'SIGKILL');
  await editor.until(() => client.connection && client.process.child !== before, 'the next server');
}

test('a program that is missing or may not be run gives a message, and the right path starts it', async (context) => {
  const { editor, client } = start(context, { program: '/nowhere/pipeline' });
  editor.choose = (text, choices) => choices[0];
  const document = editor.open(`${FOLDER}/a.yaml`, WRONG);
  await editor.until(() => editor.executed.length > 0, 'the settings');
  assert.match(editor.messages[0].text, /^The program '\/nowhere\/pipeline' was not found\. Install pipeline, or set 'pipeline\.path'/);
  assert.deepStrictEqual(editor.executed, [['workbench.action.openSettings', 'pipeline.path']]);

  editor.choose = () => undefined;
  editor.configure({ 'pipeline.path': '~/missing/pipeline' });
  await editor.until(() => editor.messages.length === 2, 'the second message');
  assert.ok(editor.messages[1].text.startsWith(`The program '${os.homedir()}/missing/pipeline' was not found.`));
  editor.configure({ 'pipeline.path': __filename });
  await editor.until(() => editor.messages.length === 3, 'the third message');
  assert.match(editor.messages[2].text, /^The program '.*' may not be run\./);

  editor.configure({ 'pipeline.path': PIPELINE });
  assert.notStrictEqual((await editor.diagnosticsOf(document)).length, 0);
  assert.strictEqual(editor.messages.length, 3);
  assert.ok(client.connection);
});

test('a program that ends at once is started a few times and then given up, until a person restarts it', async (context) => {
  const { editor } = start(context, { program: 'false', delays: [1, 2, 3] });
  editor.choose = (text, choices) => {
    if (editor.messages.length > 1) return undefined;
    editor.settings['pipeline.path'] = PIPELINE;
    return choices[0];
  };
  const document = editor.open(`${FOLDER}/a.yaml`, WRONG);
  assert.notStrictEqual((await editor.diagnosticsOf(document)).length, 0);
  assert.deepStrictEqual(editor.messages.map((one) => one.text), ['The language server of pipeline has crashed 4 times and is not started again.']);
  assert.deepStrictEqual(editor.executed, [['pipeline.restart']]);
  assert.deepStrictEqual(editor.log.filter((line) => line.includes('ended with status 1')), [
    'the server ended with status 1; it is started again in 1 ms',
    'the server ended with status 1; it is started again in 2 ms',
    'the server ended with status 1; it is started again in 3 ms',
    'the server ended with status 1; it is not started again',
  ]);
});

test('a server that is killed is started again, and gets the documents as they are', async (context) => {
  const { editor, client } = start(context, { delays: [1, 1, 1] });
  const document = editor.open(`${FOLDER}/a.yaml`, WRONG);
  await editor.diagnosticsOf(document);
  await kill(editor, client);
  await editor.diagnosticsOf(document);

  document.replace('steps: 1', 'steps: []\ninptus: {}');
  process.kill(client.process.child.pid, 'SIGKILL');
  await editor.until(() => editor.diagnostics.size === 0, 'the end of the diagnostics');
  // While no server runs, changes are not lost.
  document.replace('inptus', 'descriptoin');
  const found = await editor.diagnosticsOf(document);
  assert.ok(found.some((one) => one.message.includes('descriptoin')), JSON.stringify(found));
  assert.strictEqual(editor.providersOf('Hover', document).length, 1);
  assert.deepStrictEqual(editor.messages, []);
});

test('a request that is under way when the server is killed has no result, and the next one has', async (context) => {
  const { editor, client } = await startFake(context, {
    capabilities: { hoverProvider: true, definitionProvider: true }, held: ['textDocument/hover'],
    results: { 'textDocument/definition': [] },
  }, { delays: [1] });
  const document = editor.open(`${FOLDER}/a.yaml`, WRONG);
  const hover = editor.provider('Hover', document).provideHover(document, document.positionAt(0), editor.token);
  await kill(editor, client);
  assert.strictEqual(await hover, undefined);
  assert.deepStrictEqual(
    await editor.provider('Definition', document).provideDefinition(document, document.positionAt(0), editor.token), []);
});

for (const text of ['hello\n', 'Content-Length: 3\r\n\r\n{}}', 'Content-Length: 9\r\n\r\n{}Content-Length: 2\r\n\r\n{}']) {
  test(`a server that sends ${JSON.stringify(text)} is started again`, async (context) => {
    const { editor, client } = await startFake(context, {}, { delays: [1] });
    const before = client.process.child;
    const lost = client.connection.request('fake/write', { text });
    await assert.rejects(lost, { message: 'the language server has ended' });
    await editor.until(() => client.connection && client.process.child !== before, 'the next server');
    assert.ok(editor.log.some((line) => line.startsWith('the server sent what is not a message: ')), editor.log.join('\n'));
    assert.deepStrictEqual(await client.connection.request('fake/ask', { method: 'workspace/workspaceFolders' }), null);
  });
}

test('a server that refuses to start is not started again', async (context) => {
  process.env.FAKE = JSON.stringify({ initialize: { error: 'not today' } });
  const { editor } = start(context, { program: FAKE, delays: [1] });
  await editor.until(() => editor.messages.length === 1, 'a message');
  assert.strictEqual(editor.messages[0].text, 'pipeline: the language server cannot be used: not today.');
  assert.strictEqual(editor.log.filter((line) => line.startsWith('started')).length, 1);
});

test('a server that counts positions otherwise is not used', async (context) => {
  process.env.FAKE = JSON.stringify({ capabilities: { positionEncoding: 'utf-8' } });
  const { editor } = start(context, { program: FAKE, delays: [1] });
  await editor.until(() => editor.messages.length === 1, 'a message');
  assert.match(editor.messages[0].text, /counts positions in utf-8/);
});

test('the server ends with the editor, and a second restart waits for the first', async (context) => {
  const { editor, client } = start(context);
  const document = editor.open(`${FOLDER}/a.yaml`, WRONG);
  await editor.diagnosticsOf(document);
  const first = client.process.child;
  await Promise.all([editor.module.commands.executeCommand('pipeline.restart'), client.restart()]);
  assert.deepStrictEqual([first.exitCode, first.signalCode], [0, null]);
  const last = client.process.child;
  await editor.until(() => client.connection, 'the server');
  await editor.diagnosticsOf(document);
  await editor.extension.deactivate();
  assert.deepStrictEqual([last.exitCode, last.signalCode], [0, null]);
  assert.strictEqual(editor.log.filter((line) => line.startsWith('started')).length, 3);
  assert.strictEqual(editor.providers.length + editor.diagnostics.size, 0);
});

test('files that a pipeline refers to are in the folder that the setting names', async (context) => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'pipeline-editor-'));
  context.after(() => fs.rmSync(root, { recursive: true }));
  fs.mkdirSync(path.join(root, 'Pipelines'));
  fs.writeFileSync(path.join(root, 'shared.yaml'), 'definitions: shared\nretry:\n  gentle: { attempts: 3 }\n');
  const { editor } = start(context);
  const document = editor.open(path.join(root, 'Pipelines/a.yaml'), 'pipeline: a\nuse: [../shared.yaml]\nsteps: []\n');
  const outside = await editor.diagnosticsOf(document);
  assert.ok(outside.some((one) => one.message.includes('shared.yaml')), JSON.stringify(outside));
  editor.configure({ 'pipeline.root': root });
  await editor.until(() => editor.diagnostics.get(document.uri.toString())?.list
    .every((one) => !one.message.includes('shared.yaml')), 'the files of the new root');
});

test('the commands are those that package.json lists', async (context) => {
  const { editor } = await startFake(context, {});
  assert.deepStrictEqual([...editor.commands.keys()].sort(), PACKAGE.contributes.commands.map((one) => one.command).sort());
  assert.strictEqual(PACKAGE.dependencies, undefined);
});

const documents = [
  ['a file of a folder Pipelines', '/x/Pipelines/sub/a.yaml', 'a: 1', true],
  ['a file that is called so', '/x/a.pipeline.yml', '', true],
  ['a pipeline elsewhere', '/x/1.yaml', '# about\npipeline: photos\n', true],
  ['a pipeline with other line ends', '/x/2.yaml', '# about\r\npipeline: photos\r\n', true],
  ['a test', '/x/a.test.yaml', 'test: photos\n', true],
  ['definitions', '/x/3.yaml', 'definitions: shared\n', true],
  ['a file with the schema', '/x/4.yaml', '# yaml-language-server: $schema=../Schemas/pipeline-test.schema.json\n', true],
  ['a text that has no file yet', 'untitled:Untitled-1', 'pipeline: photos\n', true],
  ['another file', '/x/docker-compose.yaml', 'services:\n  web: { image: nginx }\n', false],
  ['a file of another service', '/x/bitbucket-pipelines.yml', 'definitions:\n  steps: []\npipelines:\n  default: []\n', false],
  ['a file with another schema', '/x/5.yaml', '# yaml-language-server: $schema=https://json.schemastore.org/github-workflow.json\n', false],
  ['a key further in', '/x/6.yaml', 'all:\n  pipeline: photos\n', false],
];

test('what a pipeline is', async (context) => {
  const { editor, client, received } = await startFake(context, {});
  for (const [, file, text] of documents) editor.open(file, text);
  const opened = (await received('textDocument/didOpen')).map((one) => one.params.textDocument.uri);
  for (const [name, file, , isPipeline] of documents) {
    const { uri } = editor.documents.find((one) => one.uri.path === file || one.uri.toString() === file);
    await context.test(`${name} is ${isPipeline ? '' : 'not '}a pipeline`, () => {
      assert.strictEqual(opened.includes(uri.toString()), isPipeline);
      assert.strictEqual(client.documents.versionOf(uri.toString()), isPipeline ? 1 : undefined);
    });
  }
});

test('a document of another language is not a pipeline, whatever it is called', async (context) => {
  const { editor, received } = await startFake(context, {});
  editor.open('/x/Pipelines/a.yaml', 'pipeline: a', 'plaintext');
  assert.deepStrictEqual(await received('textDocument/didOpen'), []);
});

test('a document becomes a pipeline while it is written, and stays one until it is closed', async (context) => {
  const { editor, client, received } = await startFake(context, {});
  const document = editor.open('/x/a.yaml', 'pipe');
  document.replace('pipe', 'pipeline: a\n');
  document.replace('pipeline: a', 'pipe: a');
  assert.strictEqual((await received('textDocument/didOpen'))[0].params.textDocument.text, 'pipeline: a\n');
  assert.strictEqual((await received('textDocument/didChange')).length, 1);
  client.collection.set(document.uri, []);
  editor.closeDocument(document);
  assert.strictEqual((await received('textDocument/didClose')).length, 1);
  assert.strictEqual(editor.diagnostics.size, 0);
});

test('settings decide what a pipeline is, at once', async (context) => {
  const { editor, received } = await startFake(context, {});
  editor.open('/x/jobs/a.yaml', 'a: 1');
  editor.open('/x/b.yaml', 'pipeline: b');
  editor.configure({ 'pipeline.files': ['**/jobs/*.yaml'], 'pipeline.detect': false });
  const uris = (list) => list.map((one) => one.params.textDocument.uri);
  assert.deepStrictEqual(uris(await received('textDocument/didOpen')), ['file:///x/b.yaml', 'file:///x/jobs/a.yaml']);
  assert.deepStrictEqual(uris(await received('textDocument/didClose')), ['file:///x/b.yaml']);
});
