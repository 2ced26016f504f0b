'use strict';
// Each feature that a server may announce, with a server that announces it: what it gets, and what the editor gets.

const assert = require('node:assert');
const { FOLDER, plain, startFake, test } = require('./support');
const types = require('./stub/types');

const range = (line, start, end) => ({ start: { line, character: start }, end: { line, character: end } });
const at = (line, character) => new types.Position(line, character);
const NOTHING = { triggerKind: 0 };

/** A document in an editor with a fake server. */
async function open(context, script) {
  const fake = await startFake(context, script);
  const document = fake.editor.open(`${FOLDER}/a.yaml`, 'pipeline: a\nsteps: []\n');
  return { ...fake, document, token: fake.editor.token };
}

const kinds = {
  completionProvider: 'CompletionItem', hoverProvider: 'Hover', signatureHelpProvider: 'SignatureHelp',
  definitionProvider: 'Definition', referencesProvider: 'Reference', documentHighlightProvider: 'DocumentHighlight',
  documentSymbolProvider: 'DocumentSymbol', codeActionProvider: 'CodeActions', documentFormattingProvider: 'DocumentFormattingEdit',
  documentRangeFormattingProvider: 'DocumentRangeFormattingEdit', renameProvider: 'Rename', foldingRangeProvider: 'FoldingRange',
  documentLinkProvider: 'DocumentLink',
};

test('a feature that the server does not announce is not registered', async (context) => {
  const { editor } = await open(context, { capabilities: Object.fromEntries(Object.keys(kinds).map((name) => [name, false])) });
  assert.deepStrictEqual(editor.providers, []);
});

for (const [capability, kind] of Object.entries(kinds)) {
  test(`${capability} registers ${kind} and nothing else`, async (context) => {
    const { editor } = await open(context, { capabilities: { [capability]: true } });
    assert.deepStrictEqual(editor.providers.map((one) => one.kind), [kind]);
    assert.deepStrictEqual(editor.providers[0].selector, { language: 'yaml' });
  });
}

test('an error or no result is nothing in the editor, but a rename says why', async (context) => {
  const { editor, document, token } = await open(context, {
    capabilities: { hoverProvider: true, definitionProvider: true, renameProvider: { prepareProvider: true } },
    errors: { 'textDocument/hover': 'oh', 'textDocument/rename': 'this name is taken' },
  });
  assert.strictEqual(await editor.provider('Hover', document).provideHover(document, at(0, 0), token), undefined);
  assert.ok(editor.log.includes('textDocument/hover: oh'));
  assert.strictEqual(await editor.provider('Definition', document).provideDefinition(document, at(0, 0), token), undefined);
  const rename = editor.provider('Rename', document);
  await assert.rejects(rename.provideRenameEdits(document, at(0, 0), 'b', token), { message: 'this name is taken' });
  await assert.rejects(rename.prepareRename(document, at(0, 0), token), { message: 'There is no name here that can be changed.' });
});

test('a document that is not a pipeline is not asked about', async (context) => {
  const { editor, received, token } = await open(context, { capabilities: { hoverProvider: true } });
  const other = editor.open('/x/other.yaml', 'a: 1');
  assert.strictEqual(await editor.provider('Hover', other).provideHover(other, at(0, 0), token), undefined);
  assert.deepStrictEqual(await received('textDocument/hover'), []);
});

test('a cancelled request is cancelled at the server and gives nothing', async (context) => {
  const { editor, document, received } = await open(context, {
    capabilities: { hoverProvider: true }, held: ['textDocument/hover'],
  });
  const source = new types.CancellationTokenSource();
  const hover = editor.provider('Hover', document).provideHover(document, at(0, 0), source.token);
  source.cancel();
  assert.strictEqual(await hover, undefined);
  assert.strictEqual((await received('$/cancelRequest')).length, 1);
  assert.ok(!editor.log.some((line) => line.startsWith('textDocument/hover')));
});

test('diagnostics have their code\'s page, tags and related places, and those of an older text are left out', async (context) => {
  const { editor, document, notify } = await open(context, {});
  const uri = document.uri.toString();
  const full = {
    range: range(0, 0, 8), message: 'm', severity: 2, code: 'c', source: 's', codeDescription: { href: 'https://x.test/c#d' }, tags: [1, 2],
    relatedInformation: [{ location: { uri, range: range(1, 0, 5) }, message: 'here' }],
  };
  document.replace('[]', '[ ]');
  await notify('textDocument/publishDiagnostics', { uri, version: 1, diagnostics: [full] });
  assert.strictEqual(editor.diagnostics.size, 0);
  await notify('textDocument/publishDiagnostics', { uri, version: 2, diagnostics: [full, { range: range(0, 0, 1), message: 'n' }] });
  const [first, second] = await editor.diagnosticsOf(document);
  assert.deepStrictEqual([first.code.value, first.code.target.toString()], ['c', 'https://x.test/c#d']);
  assert.deepStrictEqual([first.severity, first.tags, first.source], [types.DiagnosticSeverity.Warning, [1, 2], 's']);
  assert.deepStrictEqual(plain(first.relatedInformation[0].location.range), range(1, 0, 5));
  assert.deepStrictEqual([second.severity, second.code, second.tags], [types.DiagnosticSeverity.Error, undefined, undefined]);
});

test('synchronization is full, incremental or absent, as the server says', async (context) => {
  const all = { openClose: true, change: 2, save: { includeText: true } };
  const full = await open(context, { capabilities: { textDocumentSync: 1 } });
  full.document.replace('[]', '[ ]');
  assert.deepStrictEqual((await full.received('textDocument/didChange'))[0].params.contentChanges, [{ text: 'pipeline: a\nsteps: [ ]\n' }]);
  const incremental = await open(context, { capabilities: { textDocumentSync: all } });
  incremental.document.replace('[]', '[ ]');
  assert.deepStrictEqual((await incremental.received('textDocument/didChange'))[0].params, {
    textDocument: { uri: 'file:///nowhere/Pipelines/a.yaml', version: 2 }, contentChanges: [{ range: range(1, 7, 9), text: '[ ]' }],
  });
  incremental.editor.events.save.fire(incremental.document);
  assert.strictEqual((await incremental.received('textDocument/didSave'))[0].params.text, incremental.document.text);
  const none = await open(context, { capabilities: { textDocumentSync: { openClose: true } } });
  none.document.replace('[]', '[ ]');
  none.editor.events.save.fire(none.document);
  assert.strictEqual((await none.received('textDocument/didChange')).length + (await none.received('textDocument/didSave')).length, 0);
});

test('completions are snippets, texts and edits, and are completed later', async (context) => {
  const { editor, document, token, received } = await open(context, {
    capabilities: { completionProvider: { resolveProvider: true, triggerCharacters: ['.', '{'] } },
    results: {
      'textDocument/completion': { isIncomplete: true, items: [
        { label: 'plain', kind: 1 },
        { label: 'inserted', insertText: 'text', documentation: 'about *it*', tags: [1], preselect: true, commitCharacters: ['.'] },
        { label: 'snippet', kind: 15, insertTextFormat: 2, textEdit: { range: range(1, 0, 5), newText: 'a: $0' }, data: 7,
          labelDetails: { detail: ' d' }, documentation: { kind: 'markdown', value: '**b**' } },
        { label: 'two', insertTextMode: 1, textEdit: { insert: range(1, 0, 1), replace: range(1, 0, 5), newText: 'x' },
          additionalTextEdits: [{ range: range(0, 0, 0), newText: '#\n' }], command: { title: 't', command: 'c', arguments: [1] } },
      ] },
      'completionItem/resolve': { label: 'snippet', detail: 'later', insertTextFormat: 2, textEdit: { range: range(1, 0, 5), newText: 'a: $0' } },
    },
  });
  assert.deepStrictEqual(editor.providers[0].rest, ['.', '{']);
  const provider = editor.provider('CompletionItem', document);
  const list = await provider.provideCompletionItems(document, at(1, 5), token, { triggerKind: 1, triggerCharacter: '.' });
  assert.deepStrictEqual((await received('textDocument/completion'))[0].params, {
    textDocument: { uri: 'file:///nowhere/Pipelines/a.yaml' }, position: { line: 1, character: 5 },
    context: { triggerKind: 2, triggerCharacter: '.' },
  });
  const [plainItem, inserted, snippet, two] = list.items;
  assert.ok(list.isIncomplete);
  assert.deepStrictEqual([plainItem.insertText, plainItem.kind, plainItem.range], ['plain', 0, undefined]);
  assert.deepStrictEqual([inserted.insertText, inserted.documentation, inserted.tags, inserted.preselect], ['text', 'about *it*', [1], true]);
  assert.deepStrictEqual([snippet.insertText.value, snippet.label, plain(snippet.range)], ['a: $0', { label: 'snippet', detail: ' d' }, range(1, 0, 5)]);
  assert.ok(snippet.documentation instanceof types.MarkdownString);
  assert.deepStrictEqual([plain(two.range.inserting), plain(two.range.replacing), two.keepWhitespace], [range(1, 0, 1), range(1, 0, 5), true]);
  assert.deepStrictEqual([two.additionalTextEdits[0].newText, two.command.command], ['#\n', 'c']);
  const resolved = await provider.resolveCompletionItem(snippet, token);
  assert.deepStrictEqual([resolved.detail, resolved.insertText.value], ['later', 'a: $0']);
  assert.strictEqual((await received('completionItem/resolve'))[0].params.data, 7);
});

test('hover takes each form of text', async (context) => {
  const { editor, document, token, answer } = await open(context, { capabilities: { hoverProvider: true } });
  for (const [contents, expected] of [
    ['*a*', ['*a*']], [{ kind: 'markdown', value: '*a*' }, ['*a*']], [{ kind: 'plaintext', value: '*a*' }, ['\\*a\\*']],
    [['a', { language: 'yaml', value: 'b: 1' }], ['a', '\n```yaml\nb: 1\n```\n']],
  ]) {
    await answer({ 'textDocument/hover': { contents, range: range(0, 0, 8) } });
    const hover = await editor.provider('Hover', document).provideHover(document, at(0, 0), token);
    assert.deepStrictEqual(hover.contents.map((one) => one.value), expected);
    assert.deepStrictEqual(plain(hover.range), range(0, 0, 8));
  }
});

test('signature help keeps what is active', async (context) => {
  const { editor, document, token, received } = await open(context, {
    capabilities: { signatureHelpProvider: { triggerCharacters: ['('], retriggerCharacters: [','] } },
    results: { 'textDocument/signatureHelp': { activeSignature: 1, activeParameter: 0, signatures: [
      { label: 'f(a)' }, { label: 'f(a, b)', documentation: 'doc', parameters: [{ label: [2, 3], documentation: 'first' }, { label: 'b' }] },
    ] } },
  });
  assert.deepStrictEqual(editor.providers[0].rest, [{ triggerCharacters: ['('], retriggerCharacters: [','] }]);
  const { provideSignatureHelp } = editor.provider('SignatureHelp', document);
  const help = await provideSignatureHelp(document, at(0, 0), token, { triggerKind: 1, isRetrigger: false });
  assert.deepStrictEqual([help.activeSignature, help.signatures[1].parameters.map((one) => one.label)], [1, [[2, 3], 'b']]);
  help.activeSignature = 0;
  await provideSignatureHelp(document, at(0, 0), token, { triggerKind: 3, isRetrigger: true, activeSignatureHelp: help });
  const [first, second] = (await received('textDocument/signatureHelp')).map((one) => one.params.context);
  assert.deepStrictEqual([first.activeSignatureHelp, second.activeSignatureHelp.activeSignature], [undefined, 0]);
  assert.strictEqual(second.activeSignatureHelp.signatures[1].documentation, 'doc');
});

test('highlights, folds, links, formatting and flat symbols', async (context) => {
  const uri = 'file:///nowhere/Pipelines/a.yaml';
  const { editor, document, token } = await open(context, {
    capabilities: {
      documentHighlightProvider: true, foldingRangeProvider: true, documentLinkProvider: { resolveProvider: true },
      documentFormattingProvider: true, documentRangeFormattingProvider: true, documentSymbolProvider: true,
    },
    results: {
      'textDocument/documentHighlight': [{ range: range(0, 0, 8), kind: 3 }, { range: range(1, 0, 5) }],
      'textDocument/foldingRange': [{ startLine: 0, endLine: 1, kind: 'comment' }, { startLine: 1, endLine: 2 }],
      'textDocument/documentLink': [{ range: range(0, 0, 8), data: 1 }, { range: range(1, 0, 5), target: 'file:///b.yaml', tooltip: 't' }],
      'documentLink/resolve': { range: range(0, 0, 8), target: 'https://x.test/' },
      'textDocument/formatting': [{ range: range(1, 7, 9), newText: '[ ]' }],
      'textDocument/rangeFormatting': [{ range: range(1, 7, 9), newText: '[  ]' }],
      'textDocument/documentSymbol': [{ name: 'n', kind: 13, location: { uri, range: range(0, 0, 8) }, containerName: 'c' }],
    },
  });
  const highlights = await editor.provider('DocumentHighlight', document).provideDocumentHighlights(document, at(0, 0), token);
  assert.deepStrictEqual(highlights.map((one) => [one.kind, plain(one.range)]), [[2, range(0, 0, 8)], [0, range(1, 0, 5)]]);
  const folds = await editor.provider('FoldingRange', document).provideFoldingRanges(document, {}, token);
  assert.deepStrictEqual(folds.map((one) => [one.start, one.end, one.kind]), [[0, 1, 1], [1, 2, undefined]]);
  const links = editor.provider('DocumentLink', document);
  const [later, now] = await links.provideDocumentLinks(document, token);
  assert.deepStrictEqual([later.target, now.target.toString(), now.tooltip], [undefined, 'file:///b.yaml', 't']);
  assert.strictEqual((await links.resolveDocumentLink(later, token)).target.toString(), 'https://x.test/');
  const style = { tabSize: 2, insertSpaces: true };
  document.edit(await editor.provider('DocumentFormattingEdit', document).provideDocumentFormattingEdits(document, style, token));
  assert.strictEqual(document.text, 'pipeline: a\nsteps: [ ]\n');
  const whole = new types.Range(at(0, 0), at(2, 0));
  const edits = await editor.provider('DocumentRangeFormattingEdit', document)
    .provideDocumentRangeFormattingEdits(document, whole, style, token);
  assert.strictEqual(edits[0].newText, '[  ]');
  const [symbol] = await editor.provider('DocumentSymbol', document).provideDocumentSymbols(document, token);
  assert.deepStrictEqual([symbol.name, symbol.kind, symbol.containerName], ['n', 12, 'c']);
});

test('definitions may be links, one place, or several', async (context) => {
  const link = { targetUri: 'file:///b.yaml', targetRange: range(1, 0, 9), targetSelectionRange: range(1, 0, 3), originSelectionRange: range(0, 0, 8) };
  const place = { uri: 'file:///b.yaml', range: range(1, 0, 3) };
  const { editor, document, token, answer } = await open(context, { capabilities: { definitionProvider: true } });
  for (const [result, count] of [[[link], 1], [place, 1], [[place, place], 2], [[], 0]]) {
    await answer({ 'textDocument/definition': result });
    const found = await editor.provider('Definition', document).provideDefinition(document, at(0, 0), token);
    assert.strictEqual(found.length, count);
    for (const one of found) assert.strictEqual((one.targetUri ?? one.uri).toString(), 'file:///b.yaml');
  }
});

test('semantic tokens have the server\'s legend and are asked for again when it says so', async (context) => {
  const legend = { tokenTypes: ['variable'], tokenModifiers: ['readonly'] };
  const { editor, document, token, ask } = await open(context, {
    capabilities: { semanticTokensProvider: { legend, full: { delta: true }, range: true } },
    results: {
      'textDocument/semanticTokens/full': { resultId: '1', data: [0, 0, 8, 0, 1] },
      'textDocument/semanticTokens/range': { data: [] },
    },
  });
  const full = editor.provider('DocumentSemanticTokens', document);
  const tokens = await full.provideDocumentSemanticTokens(document, token);
  assert.deepStrictEqual([[...tokens.data], tokens.resultId], [[0, 0, 8, 0, 1], '1']);
  assert.deepStrictEqual({ ...editor.providers[0].rest[0] }, legend);
  const some = await editor.provider('DocumentRangeSemanticTokens', document)
    .provideDocumentRangeSemanticTokens(document, new types.Range(at(0, 0), at(1, 0)), token);
  assert.deepStrictEqual([...some.data], []);
  let changes = 0;
  full.onDidChangeSemanticTokens(() => { changes += 1; });
  assert.strictEqual(await ask('workspace/semanticTokens/refresh'), null);
  assert.strictEqual(changes, 1);
});

test('code actions are edits, commands, disabled, or completed later', async (context) => {
  const uri = 'file:///nowhere/Pipelines/a.yaml';
  const changes = { [uri]: [{ range: range(0, 10, 11), newText: 'b' }] };
  const { editor, document, token, received } = await open(context, {
    capabilities: { codeActionProvider: { codeActionKinds: ['quickfix', 'source.fixAll'], resolveProvider: true }, executeCommandProvider: { commands: ['fix'] } },
    results: {
      'textDocument/codeAction': [
        { title: 'plain', command: 'fix', arguments: [1] },
        { title: 'off', kind: 'quickfix', disabled: { reason: 'because' } },
        { title: 'later', kind: 'source.fixAll', data: 3, isPreferred: true },
      ],
      'codeAction/resolve': { title: 'later', edit: { changes } },
      'workspace/executeCommand': 'done',
    },
  });
  assert.deepStrictEqual(editor.providers[0].rest[0].providedCodeActionKinds.map((one) => one.value), ['quickfix', 'source.fixAll']);
  const provider = editor.provider('CodeActions', document);
  const whole = new types.Range(at(0, 0), at(1, 0));
  const [command, off, later] = await provider.provideCodeActions(document, whole, { diagnostics: [], triggerKind: 1 }, token);
  assert.strictEqual(await editor.module.commands.executeCommand(command.command, ...command.arguments), 'done');
  assert.deepStrictEqual((await received('workspace/executeCommand'))[0].params, { command: 'fix', arguments: [1] });
  assert.deepStrictEqual([off.disabled.reason, later.isPreferred, later.edit], ['because', true, undefined]);
  await editor.module.workspace.applyEdit((await provider.resolveCodeAction(later, token)).edit);
  assert.strictEqual(document.text, 'pipeline: b\nsteps: []\n');
});
