'use strict';
// Values of the protocol as values of the editor, and back. Positions need no conversion: both count UTF-16 units.

const vscode = require('vscode');

/** The protocol's diagnostic for each that was shown, which requests for code actions send back. */
const shown = new WeakMap();

const uri = (text) => vscode.Uri.parse(text);
const position = ({ line, character }) => new vscode.Position(line, character);
const range = ({ start, end }) => new vscode.Range(position(start), position(end));
const location = (value) => new vscode.Location(uri(value.uri), range(value.range));

const toPosition = ({ line, character }) => ({ line, character });
const toRange = ({ start, end }) => ({ start: toPosition(start), end: toPosition(end) });
const toDocument = (document) => ({ uri: document.uri.toString() });
const toPlace = (document, place) => ({ textDocument: toDocument(document), position: toPosition(place) });

/** Text that may be Markdown: a string, a MarkupContent or a MarkedString. */
function markup(content) {
  if (typeof content === 'string') return new vscode.MarkdownString(content);
  if (content.kind === 'plaintext') return new vscode.MarkdownString().appendText(content.value);
  if (content.language !== undefined) return new vscode.MarkdownString().appendCodeblock(content.value, content.language);
  return new vscode.MarkdownString(content.value);
}

/** Documentation of completions and signatures, where a string is plain text. */
const documentation = (content) => typeof content === 'string' || content === undefined ? content
  : content.kind === 'plaintext' ? content.value : markup(content);

function diagnostic(value) {
  const severity = [
    vscode.DiagnosticSeverity.Error, vscode.DiagnosticSeverity.Warning, vscode.DiagnosticSeverity.Information,
    vscode.DiagnosticSeverity.Hint,
  ][(value.severity ?? 1) - 1];
  const result = new vscode.Diagnostic(range(value.range), value.message, severity);
  result.source = value.source;
  result.code = value.codeDescription?.href
    ? { value: value.code, target: uri(value.codeDescription.href) } : value.code;
  result.tags = value.tags;
  result.relatedInformation = value.relatedInformation?.map(
    (related) => new vscode.DiagnosticRelatedInformation(location(related.location), related.message));
  shown.set(result, value);
  return result;
}

/** The protocol's form of diagnostics that came from the server; others are left out. */
const toDiagnostics = (diagnostics) => diagnostics.map((one) => shown.get(one)).filter((one) => one !== undefined);

const hover = (value) => new vscode.Hover(
  [value.contents].flat().map(markup), value.range ? range(value.range) : undefined);

const textEdit = (value) => new vscode.TextEdit(range(value.range), value.newText);

const command = (value) => value && { title: value.title, command: value.command, arguments: value.arguments };

function completion(value, defaultRange) {
  const label = value.labelDetails ? { label: value.label, ...value.labelDetails } : value.label;
  const kind = value.kind === undefined ? undefined : value.kind - 1;
  const item = new vscode.CompletionItem(label, kind);
  item.detail = value.detail;
  item.documentation = documentation(value.documentation);
  item.sortText = value.sortText;
  item.filterText = value.filterText;
  item.preselect = value.preselect;
  item.commitCharacters = value.commitCharacters;
  item.tags = value.tags;
  // 1 inserts lines as they are; by default, the editor indents them like the first.
  item.keepWhitespace = value.insertTextMode === 1;
  const text = value.textEdit?.newText ?? value.insertText ?? value.label;
  item.insertText = value.insertTextFormat === 2 ? new vscode.SnippetString(text) : text;
  item.range = value.textEdit?.insert
    ? { inserting: range(value.textEdit.insert), replacing: range(value.textEdit.replace) }
    : value.textEdit ? range(value.textEdit.range) : defaultRange;
  item.additionalTextEdits = value.additionalTextEdits?.map(textEdit);
  item.command = command(value.command);
  return item;
}

/** Completions with what the server sent for each, which resolving needs. */
function completions(result, sources) {
  const items = Array.isArray(result) ? result : result.items;
  const list = items.map((value) => {
    const item = completion(value);
    sources.set(item, value);
    return item;
  });
  return new vscode.CompletionList(list, result.isIncomplete ?? false);
}

/** Locations, or links to them. */
const locations = (result) => [result].flat().map((value) => value.targetUri === undefined ? location(value) : {
  originSelectionRange: value.originSelectionRange && range(value.originSelectionRange),
  targetUri: uri(value.targetUri),
  targetRange: range(value.targetRange),
  targetSelectionRange: range(value.targetSelectionRange),
});

function symbol(value) {
  const kind = value.kind - 1;
  if (value.location) {
    return new vscode.SymbolInformation(value.name, kind, value.containerName ?? '', location(value.location));
  }
  const result = new vscode.DocumentSymbol(
    value.name, value.detail ?? '', kind, range(value.range), range(value.selectionRange));
  result.tags = value.tags;
  result.children = (value.children ?? []).map(symbol);
  return result;
}

/**
 * A set of edits, possibly of several documents.
 *
 * Throws if the server had an older version of an open document than `versionOf` says: the edits would be in wrong places.
 */
function workspaceEdit(value, versionOf = () => undefined) {
  const edit = new vscode.WorkspaceEdit();
  for (const [name, edits] of Object.entries(value.documentChanges ? {} : value.changes ?? {})) {
    edit.set(uri(name), edits.map(textEdit));
  }
  for (const change of value.documentChanges ?? []) {
    if (change.kind === 'create') edit.createFile(uri(change.uri), change.options);
    else if (change.kind === 'rename') edit.renameFile(uri(change.oldUri), uri(change.newUri), change.options);
    else if (change.kind === 'delete') edit.deleteFile(uri(change.uri), change.options);
    else {
      const { uri: name, version } = change.textDocument;
      const current = versionOf(name);
      if (version != null && current !== undefined && version !== current) {
        throw new Error('The document has changed in the meantime. Try again.');
      }
      edit.set(uri(name), change.edits.map(textEdit));
    }
  }
  return edit;
}

/** Whether a diagnostic of the editor is one of the server. */
const isSame = (one, other) => one.message === other.message && ['start', 'end'].every((end) =>
  one.range[end].line === other.range[end].line && one.range[end].character === other.range[end].character);

/** A code action, or a plain command. */
function codeAction(value, { diagnostics, versionOf, sources }) {
  if (typeof value.command === 'string') return command(value);
  const kind = value.kind === undefined ? undefined : vscode.CodeActionKind.Empty.append(value.kind);
  const action = new vscode.CodeAction(value.title, kind);
  action.diagnostics = value.diagnostics && diagnostics.filter((one) => value.diagnostics.some((other) => isSame(one, other)));
  action.edit = value.edit && workspaceEdit(value.edit, versionOf);
  action.command = command(value.command);
  action.isPreferred = value.isPreferred;
  action.disabled = value.disabled;
  sources.set(action, value);
  return action;
}

function signatureHelp(value) {
  const help = new vscode.SignatureHelp();
  help.activeSignature = value.activeSignature ?? 0;
  help.activeParameter = value.activeParameter ?? 0;
  help.signatures = value.signatures.map((one) => {
    const signature = new vscode.SignatureInformation(one.label, documentation(one.documentation));
    signature.activeParameter = one.activeParameter;
    signature.parameters = (one.parameters ?? []).map(
      (parameter) => new vscode.ParameterInformation(parameter.label, documentation(parameter.documentation)));
    return signature;
  });
  return help;
}

/** The protocol's form of what the editor says about an earlier signature help. */
const toSignatureContext = (context, source) => ({
  triggerKind: context.triggerKind,
  triggerCharacter: context.triggerCharacter,
  isRetrigger: context.isRetrigger,
  activeSignatureHelp: source && context.activeSignatureHelp
    ? { ...source, activeSignature: context.activeSignatureHelp.activeSignature } : undefined,
});

const highlight = (value) => new vscode.DocumentHighlight(range(value.range), (value.kind ?? 1) - 1);

const foldingKinds = {
  comment: vscode.FoldingRangeKind.Comment,
  imports: vscode.FoldingRangeKind.Imports,
  region: vscode.FoldingRangeKind.Region,
};
const folding = (value) => new vscode.FoldingRange(value.startLine, value.endLine, foldingKinds[value.kind]);

function documentLink(value, sources) {
  const link = new vscode.DocumentLink(range(value.range), value.target === undefined ? undefined : uri(value.target));
  link.tooltip = value.tooltip;
  sources.set(link, value);
  return link;
}

const semanticTokens = (value) => new vscode.SemanticTokens(new Uint32Array(value.data), value.resultId);

module.exports = {
  codeAction, command, completion, completions, diagnostic, documentation, documentLink, folding, highlight, hover, location,
  locations, position, range, semanticTokens, signatureHelp, symbol, textEdit, toDiagnostics, toDocument, toPlace, toPosition,
  toRange, toSignatureContext, uri, workspaceEdit,
};
