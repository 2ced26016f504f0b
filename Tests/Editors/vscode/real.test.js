'use strict';
// The extension with the real program: what a person sees in a pipeline with mistakes.

const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { FOLDER, marked, plain, start, test } = require('./support');
const { Position } = require('./stub/types');

/** A pipeline with a step that ‸ begins on a line of its own. */
const pipeline = (step) => `pipeline: hello
inputs:
  server: { type: url }
  files: { type: files }
steps:
  - for_each: file
    in: \${{ inputs.files }}
    steps:
      - id: begin
        request: { method: POST, url: "\${{ inputs.server }}/begin" }
        effect: create
        idempotency: { header: Idempotency-Key }
        outputs:
          id: { value: "\${{ response.json.id }}" }
      - id: send
        ${step}
`;
const RIGHT = 'upload: { url: "${{ inputs.server }}/${{ steps.begin.id }}", file: "${{ file }}" }';

/** Opens a text whose marks ‸ are places. */
async function open(context, source, name = `${FOLDER}/hello.yaml`) {
  const { editor } = start(context);
  const { text, places } = marked(source);
  const document = editor.open(name, text);
  const diagnostics = await editor.diagnosticsOf(document);
  return { editor, document, diagnostics, places: places.map(({ line, character }) => new Position(line, character)) };
}

test('a mistake is shown at its place, and is gone when it is corrected', async (context) => {
  const { editor, document, diagnostics, places } = await open(context, pipeline('‸uplaod‸: { url: "😀" }'));
  const found = diagnostics.find((one) => one.code === 'unknown-key' || one.code?.value === 'unknown-key');
  assert.match(found.message, /^unknown key 'uplaod' in a step\n.*did you mean 'upload'\?/);
  assert.deepStrictEqual(plain(found.range), plain({ start: places[0], end: places[1] }));
  assert.strictEqual(found.source, 'pipeline');
  document.replace('uplaod: { url: "😀" }', RIGHT);
  assert.deepStrictEqual(await editor.diagnosticsOf(document), []);
});

test('a pipeline without mistakes has no diagnostics', async (context) => {
  const { diagnostics } = await open(context, pipeline(RIGHT));
  assert.deepStrictEqual(diagnostics, []);
});

test('a diagnostic behind an emoji counts it as two units', async (context) => {
  const { diagnostics, places } = await open(context, pipeline(
    'upload: { url: "${{ inputs.server }}/😀é/${{ steps.begin.‸idd‸ }}", file: "${{ file }}" }'));
  const found = diagnostics.find((one) => one.message.includes('idd'));
  assert.deepStrictEqual(plain(found.range), plain({ start: places[0], end: places[1] }));
});

test('changes behind emojis, of several lines and in several places at once, reach the server as they are', async (context) => {
  const { editor, document } = await open(context, pipeline(RIGHT));
  document.replace('/begin" }', '/😀/begin/😀" }');
  document.replace('begin/😀', 'é/😀😀');
  document.replace('effect: create\n        idempotency: { header: Idempotency-Key }\n', '');
  document.replace('        outputs:', '        effect: create\n        idempotency: { header: "X-😀" }\n        outputs:');
  document.edit(['begin\n', 'begin.id'].map((name) => ({
    range: { start: document.find(name), end: document.find(name, 5) }, newText: '😀'.repeat(3),
  })));
  const changed = await editor.diagnosticsOf(document);
  const copy = editor.open(`${FOLDER}/copy.yaml`, document.text);
  const expected = await editor.diagnosticsOf(copy);
  assert.ok(expected.length > 0);
  assert.deepStrictEqual(changed.map((one) => [one.message, plain(one.range)]), expected.map((one) => [one.message, plain(one.range)]));
});

test('completion offers the outputs of a step, behind an emoji', async (context) => {
  const { editor, document, places } = await open(context, pipeline(
    'upload: { url: "${{ inputs.server }}/😀/${{ steps.begin.‸ }}", file: "${{ file }}" }'));
  const list = await editor.provider('CompletionItem', document)
    .provideCompletionItems(document, places[0], editor.token, { triggerKind: 1, triggerCharacter: '.' });
  const item = list.items.find((one) => one.label === 'id');
  document.edit([{ range: item.range, newText: item.insertText }]);
  assert.strictEqual(document.text, pipeline(
    'upload: { url: "${{ inputs.server }}/😀/${{ steps.begin.id }}", file: "${{ file }}" }'));
});

test('completion of keys is a snippet', async (context) => {
  const { editor, document, places } = await open(context, pipeline('up‸'));
  const list = await editor.provider('CompletionItem', document)
    .provideCompletionItems(document, places[0], editor.token, { triggerKind: 0 });
  const item = list.items.find((one) => one.label === 'upload');
  assert.strictEqual(document.textIn(item.range), 'up');
  assert.match(item.insertText.value, /^upload:[^]*\$/);
});

test('a typed space offers nothing inside a text', async (context) => {
  const { editor, document, places } = await open(context, pipeline(`description: some ‸words\n        ${RIGHT}`));
  const list = await editor.provider('CompletionItem', document)
    .provideCompletionItems(document, places[0], editor.token, { triggerKind: 1, triggerCharacter: ' ' });
  assert.deepStrictEqual(list.items, []);
});

test('hover explains a key, and has nothing to say about a comment', async (context) => {
  const { editor, document, places } = await open(context, pipeline(`# no‸thing\n        up‸load${RIGHT.slice(6)}`));
  const { provideHover } = editor.provider('Hover', document);
  assert.strictEqual(await provideHover(document, places[0], editor.token), undefined);
  const hover = await provideHover(document, places[1], editor.token);
  assert.strictEqual(document.textIn(hover.range), 'upload');
  assert.match(hover.contents[0].value, /\*\*upload\*\*/);
});

test('definition and references of an input', async (context) => {
  const { editor, document, places } = await open(context, pipeline('upload: { url: "😀${{ inputs.ser‸ver }}", file: "${{ file }}" }'));
  const definition = await editor.provider('Definition', document).provideDefinition(document, places[0], editor.token);
  assert.deepStrictEqual(definition.map((one) => plain(one.range)), [
    plain({ start: document.find('server:'), end: document.find('server:', 6) }),
  ]);
  const { provideReferences } = editor.provider('Reference', document);
  const all = await provideReferences(document, places[0], { includeDeclaration: true }, editor.token);
  const uses = await provideReferences(document, places[0], { includeDeclaration: false }, editor.token);
  assert.deepStrictEqual([all.length, uses.length], [3, 2]);
  assert.deepStrictEqual([...new Set(all.map((one) => document.textIn(one.range)))], ['server']);
});

test('a rename is refused where there is no name and for an invalid name', async (context) => {
  const { editor, document, places } = await open(context, pipeline(`# no‸thing\n        ${RIGHT.replace('server', 'ser‸ver')}`));
  const { prepareRename, provideRenameEdits } = editor.provider('Rename', document);
  await assert.rejects(async () => prepareRename(document, places[0], editor.token), /./);
  await assert.rejects(async () => provideRenameEdits(document, places[1], 'No Name', editor.token), /No Name/);
});

test('a rename changes the declaration and all uses', async (context) => {
  const source = pipeline('upload: { url: "😀${{ inputs.ser‸ver }}/${{ inputs.server }}", file: "${{ file }}" }');
  const { editor, document, places } = await open(context, source);
  const { prepareRename, provideRenameEdits } = editor.provider('Rename', document);
  const prepared = await prepareRename(document, places[0], editor.token);
  assert.deepStrictEqual([prepared.placeholder, document.textIn(prepared.range)], ['server', 'server']);
  const edit = await provideRenameEdits(document, places[0], 'host', editor.token);
  assert.ok(await editor.module.workspace.applyEdit(edit));
  assert.strictEqual(document.text, marked(source).text.replaceAll('server', 'host'));
});

test('symbols are the inputs and the steps, in their loop', async (context) => {
  const { editor, document } = await open(context, pipeline(RIGHT));
  const symbols = await editor.provider('DocumentSymbol', document).provideDocumentSymbols(document, editor.token);
  const names = (list) => list.flatMap((one) => [one.name, ...one.children.length > 0 ? [names(one.children)] : []]);
  const text = JSON.stringify(names(symbols));
  assert.match(text, /"server".*"files".*\["begin".*"send".*\]/);
});

test('a quick fix corrects the mistake that it belongs to', async (context) => {
  const { editor, document, diagnostics } = await open(context, pipeline(RIGHT.replace('upload', 'uplaod')));
  const { provideCodeActions } = editor.provider('CodeActions', document);
  const found = diagnostics.find((one) => one.message.includes('uplaod'));
  const nowhere = { start: new Position(0, 0), end: new Position(0, 0) };
  assert.deepStrictEqual(await provideCodeActions(document, nowhere, { diagnostics: [], triggerKind: 2 }, editor.token), []);
  const only = editor.module.CodeActionKind.Empty.append('refactor');
  assert.deepStrictEqual(
    await provideCodeActions(document, found.range, { diagnostics: [found], only, triggerKind: 2 }, editor.token), []);
  const actions = await provideCodeActions(document, found.range, { diagnostics: [found], triggerKind: 2 }, editor.token);
  const action = actions.find((one) => one.diagnostics?.includes(found));
  assert.strictEqual(action.kind.value, 'quickfix');
  assert.ok(await editor.module.workspace.applyEdit(action.edit));
  assert.strictEqual(document.text, pipeline(RIGHT));
  assert.deepStrictEqual(await editor.diagnosticsOf(document), []);
});

test('a file that a pipeline uses is read from the editor, and a path with odd characters is one', async (context) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pipeline editor é%😀 '));
  context.after(() => fs.rmSync(folder, { recursive: true }));
  const { editor } = start(context);
  const used = 'definitions: shared\nretry:\n  gentle: { attempts: 3 }\n';
  const text = pipeline(`retry: gentle\n        ${RIGHT}`).replace('inputs:', 'use: [shared.yaml]\ninputs:');
  const document = editor.open(path.join(folder, 'hello.yaml'), text);
  assert.match((await editor.diagnosticsOf(document))[0].message, /shared\.yaml/);
  const shared = editor.open(path.join(folder, 'shared.yaml'), used);
  await editor.until(() => editor.diagnostics.get(document.uri.toString())?.list.length === 0, 'the used file');
  editor.closeDocument(shared);
  fs.writeFileSync(path.join(folder, 'shared.yaml'), used);
  document.replace('hello', 'hallo');
  assert.deepStrictEqual(await editor.diagnosticsOf(document), []);
});

test('a used file that another program changes is read again', async (context) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pipeline-editor-'));
  context.after(() => fs.rmSync(folder, { recursive: true }));
  const { editor } = start(context);
  const shared = path.join(folder, 'shared.yaml');
  fs.writeFileSync(shared, 'definitions: shared\nretry:\n  gentle: { attempts: 3 }\n');
  const text = pipeline(`retry: gentle\n        ${RIGHT}`).replace('inputs:', 'use: [shared.yaml]\ninputs:');
  const document = editor.open(path.join(folder, 'hello.yaml'), text);
  assert.deepStrictEqual(await editor.diagnosticsOf(document), []);
  await editor.until(() => editor.watchers.length > 0, 'the watchers');
  assert.deepStrictEqual(editor.watchers.map((one) => one.pattern), ['**/*.yaml', '**/*.yml']);
  fs.writeFileSync(shared, 'definitions: shared\nretry:\n  other: { attempts: 3 }\n');
  editor.watchers[0].emitters.change.fire(editor.module.Uri.file(shared));
  const found = () => editor.diagnostics.get(document.uri.toString()).list;
  await editor.until(() => found().length > 0, 'the changed file');
  assert.match(found()[0].message, /gentle/);
});

test('signatures, highlights, folding and links are shown', async (context) => {
  const { editor, document, places } = await open(context, pipeline(
    'upload: { url: "😀${{ resolve(inputs.ser‸ver, ‸) }}", file: "${{ file }}" }')
    .replace('pipeline:', '# $schema=https://a.test/s.json\npipeline:'));
  const help = await editor.provider('SignatureHelp', document)
    .provideSignatureHelp(document, places[1], editor.token, { triggerKind: 1, isRetrigger: false });
  assert.match(help.signatures[help.activeSignature].label, /^resolve\(base/);
  assert.strictEqual(help.activeParameter, 1);
  const highlights = await editor.provider('DocumentHighlight', document)
    .provideDocumentHighlights(document, places[0], editor.token);
  assert.deepStrictEqual([...new Set(highlights.map((one) => document.textIn(one.range)))], ['server']);
  assert.strictEqual(highlights.length, 3);
  const folds = await editor.provider('FoldingRange', document).provideFoldingRanges(document, {}, editor.token);
  assert.ok(folds.some((one) => one.start === document.find('steps:').line));
  const [link] = await editor.provider('DocumentLink', document).provideDocumentLinks(document, editor.token);
  assert.strictEqual(document.textIn(link.range), 'https://a.test/s.json');
});

test('a finding links to its page, is dimmed if it is unused, and can be ignored', async (context) => {
  const { editor, document, diagnostics: [found] } = await open(context,
    pipeline(RIGHT).replace('files }\n', 'files }\n  other: { type: url }\n'));
  assert.match(found.code.target.toString(), /docs\/checks\.md#unused-input$/);
  assert.strictEqual(found.code.value, 'unused-input');
  assert.deepStrictEqual(found.tags, [1]);
  const actions = await editor.provider('CodeActions', document)
    .provideCodeActions(document, found.range, { diagnostics: [found], triggerKind: 2 }, editor.token);
  const action = actions.find((one) => one.title === "Ignore 'unused-input' here");
  assert.ok(await editor.module.workspace.applyEdit(action.edit));
  assert.match(document.text, /\n  # pipeline: ignore\[unused-input\] explain why\n  other:/);
  assert.deepStrictEqual(await editor.diagnosticsOf(document), []);
});
