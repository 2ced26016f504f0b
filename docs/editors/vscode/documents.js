'use strict';
// Which documents are pipelines, and keeping the server's copies of them equal to the editor's.

const vscode = require('vscode');
const convert = require('./convert');

/** What begins a line of a document of each kind, in the language of pipelines. */
const OWN_NAME = /^(?:pipeline|scenario|test|definitions):[ \t]+[^\s#]/m;
/** The comment that tells editors the schema of a document. */
const OWN_SCHEMA = /^#\s*yaml-language-server:\s*\$schema=\S*\b(?:pipeline(?:-test)?|scenario)\.schema\.json/m;

/** Whether the server is to check a document: it has nothing to say of other YAML files. */
function isPipeline(document, settings) {
  if (document.languageId !== 'yaml') return false;
  if (settings.files.some((pattern) => vscode.languages.match({ pattern }, document) > 0)) return true;
  const text = document.getText();
  return settings.detect && (OWN_NAME.test(text) || OWN_SCHEMA.test(text));
}

/** The kinds of synchronization (LSP 3.17 "TextDocumentSyncKind"). */
const Sync = { none: 0, full: 1, incremental: 2 };

/** The documents that are open in the server. */
class Documents {
  /** `settings()` returns the current settings; `forget(uri)` is called when a document is closed. */
  constructor({ settings, forget }) {
    this.settings = settings;
    this.forget = forget;
    this.open = new Map();
    this.connection = undefined;
    this.listeners = [
      vscode.workspace.onDidOpenTextDocument((document) => this.begin(document)),
      vscode.workspace.onDidChangeTextDocument((event) => this.change(event)),
      vscode.workspace.onDidSaveTextDocument((document) => this.save(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.end(document)),
    ];
  }

  /** Opens all pipelines in a server that has just been initialized. */
  connect(connection, { textDocumentSync: sync = Sync.none }) {
    this.connection = connection;
    this.sync = typeof sync === 'number'
      ? { openClose: sync !== Sync.none, change: sync }
      : { openClose: sync.openClose ?? false, change: sync.change ?? Sync.none, save: sync.save };
    this.open.clear();
    this.refresh();
  }

  /** The server has gone: no document is open in it. */
  disconnect() {
    this.connection = undefined;
    this.open.clear();
  }

  /** Opens and closes documents after the settings have changed. */
  refresh() {
    for (const document of vscode.workspace.textDocuments) {
      if (isPipeline(document, this.settings())) this.begin(document);
      else this.end(document);
    }
  }

  has(document) {
    return this.open.has(document.uri.toString());
  }

  /** The version of an open document; undefined if it is not open. */
  versionOf(uri) {
    return this.open.get(vscode.Uri.parse(uri).toString())?.version;
  }

  begin(document) {
    if (!this.connection || !this.sync.openClose || this.has(document)) return;
    if (document.isClosed || !isPipeline(document, this.settings())) return;
    this.open.set(document.uri.toString(), document);
    this.connection.notify('textDocument/didOpen', {
      textDocument: {
        ...convert.toDocument(document), languageId: document.languageId, version: document.version, text: document.getText(),
      },
    });
  }

  change({ document, contentChanges }) {
    // A document can become a pipeline while it is written; it then stays one until it is closed.
    if (!this.has(document)) return this.begin(document);
    if (contentChanges.length === 0 || this.sync.change === Sync.none) return undefined;
    const changes = this.sync.change === Sync.full
      ? [{ text: document.getText() }]
      : contentChanges.map((change) => ({ range: convert.toRange(change.range), text: change.text }));
    return this.connection.notify('textDocument/didChange', {
      textDocument: { ...convert.toDocument(document), version: document.version }, contentChanges: changes,
    });
  }

  save(document) {
    if (!this.has(document) || !this.sync.save) return;
    const text = this.sync.save.includeText ? { text: document.getText() } : {};
    this.connection.notify('textDocument/didSave', { textDocument: convert.toDocument(document), ...text });
  }

  end(document) {
    if (!this.open.delete(document.uri.toString())) return;
    this.connection?.notify('textDocument/didClose', { textDocument: convert.toDocument(document) });
    this.forget(document.uri);
  }

  dispose() {
    for (const listener of this.listeners) listener.dispose();
  }
}

module.exports = { Documents, isPipeline };
