'use strict';
// An editor without a screen: the `vscode` module for an extension, and for tests what a person does and sees.

const assert = require('node:assert');
const Module = require('node:module');
const path = require('node:path');
const types = require('./types');
const { globPattern } = require('./glob');

const FOLDER = path.resolve(__dirname, '../../../../docs/editors/vscode');
const PACKAGE = require(path.join(FOLDER, 'package.json'));
/** How many milliseconds an event may take. */
const DEADLINE = Number(process.env.EDITOR_DEADLINE ?? 20) * 1000;

/** The editor whose module `require('vscode')` returns. */
let current;
const load = Module._load;
Module._load = (request, ...rest) => request === 'vscode' ? current.module : load(request, ...rest);

/** An open document. */
class Document {
  constructor(editor, { uri, text, languageId }) {
    Object.assign(this, { editor, uri, text, languageId, version: 1, isClosed: false });
  }

  getText() {
    return this.text;
  }

  offsetAt({ line, character }) {
    const lines = this.text.split('\n');
    const before = lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0);
    return Math.min(before + Math.min(character, lines[line]?.length ?? 0), this.text.length);
  }

  positionAt(offset) {
    const lines = this.text.slice(0, offset).split('\n');
    return new types.Position(lines.length - 1, lines.at(-1).length);
  }

  textIn(range) {
    return this.text.slice(this.offsetAt(range.start), this.offsetAt(range.end));
  }

  /** The place of the first occurrence of a text, counted in UTF-16 units from its start. */
  find(text, offset = 0) {
    const index = this.text.indexOf(text);
    assert(index >= 0, `no '${text}' in the document`);
    return this.positionAt(index + offset);
  }

  /** Applies edits as a person's typing or a rename does: all at once, and reported from the last to the first. */
  edit(edits) {
    const changes = edits.map(({ range, newText }) => ({
      range, text: newText, rangeOffset: this.offsetAt(range.start), rangeLength: this.textIn(range).length,
    })).sort((first, second) => second.rangeOffset - first.rangeOffset);
    for (const change of changes) {
      const end = change.rangeOffset + change.rangeLength;
      this.text = this.text.slice(0, change.rangeOffset) + change.text + this.text.slice(end);
    }
    this.version += 1;
    this.editor.events.change.fire({ document: this, contentChanges: changes });
  }

  /** Replaces the first occurrence of a text. */
  replace(old, text) {
    this.edit([new types.TextEdit(new types.Range(this.find(old), this.find(old, old.length)), text)]);
  }
}

class Editor {
  constructor({ settings = {}, folder } = {}) {
    this.settings = settings;
    this.folder = folder;
    this.documents = [];
    this.providers = [];
    this.commands = new Map();
    this.diagnostics = new Map();
    this.messages = [];
    this.executed = [];
    this.watchers = [];
    this.log = [];
    this.waiting = new Set();
    const names = ['open', 'change', 'save', 'close', 'configuration', 'tokens'];
    this.events = Object.fromEntries(names.map((name) => [name, new types.EventEmitter()]));
    /** What a person chooses in a message: a function of its text. */
    this.choose = () => undefined;
    this.module = this.makeModule();
  }

  /** Starts the extension; its files are loaded again for each editor. */
  activate(options) {
    current = this;
    for (const file of Object.keys(require.cache)) {
      if (file.startsWith(FOLDER + path.sep)) delete require.cache[file];
    }
    this.extension = require(path.join(FOLDER, PACKAGE.main));
    this.subscriptions = [];
    return this.extension.activate({ subscriptions: this.subscriptions }, options);
  }

  async close() {
    await this.extension.deactivate();
    for (const subscription of this.subscriptions) subscription?.dispose();
  }

  open(name, text, languageId = 'yaml') {
    const uri = name.includes(':') ? types.Uri.parse(name) : types.Uri.file(name);
    const document = new Document(this, { uri, text, languageId });
    this.documents.push(document);
    this.events.open.fire(document);
    return document;
  }

  closeDocument(document) {
    this.documents = this.documents.filter((one) => one !== document);
    document.isClosed = true;
    this.events.close.fire(document);
  }

  configure(settings) {
    const changed = Object.keys(settings);
    Object.assign(this.settings, settings);
    this.events.configuration.fire({
      affectsConfiguration: (section) => changed.some((name) => name === section || name.startsWith(`${section}.`)),
    });
  }

  /** Says that something has happened that a test may wait for. */
  happened() {
    for (const check of this.waiting) check();
  }

  /** Waits until `condition` returns something, which it returns; fails after the deadline. */
  until(condition, what) {
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => {
        this.waiting.delete(check);
        reject(new Error(`waited for ${what} for ${DEADLINE} ms. The log:\n${this.log.join('\n')}`));
      }, DEADLINE);
      const check = () => {
        const result = condition();
        if (!result) return;
        clearTimeout(limit);
        this.waiting.delete(check);
        resolve(result);
      };
      this.waiting.add(check);
      check();
    });
  }

  /** Waits for the diagnostics of a document's current text; those of an earlier text do not count. */
  async diagnosticsOf(document, version = document.version) {
    return this.until(() => {
      const found = this.diagnostics.get(document.uri.toString());
      return found?.version >= version && found.list;
    }, `diagnostics of version ${version}`);
  }

  /** The providers of a kind that are registered for a document. */
  providersOf(kind, document) {
    return this.providers.filter((one) => one.kind === kind && one.selector.language === document.languageId);
  }

  provider(kind, document) {
    const found = this.providersOf(kind, document);
    assert.strictEqual(found.length, 1, `${found.length} providers of ${kind}`);
    return found[0].provider;
  }

  get token() {
    return new types.CancellationTokenSource().token;
  }

  async applyEdit(edit) {
    for (const { uri, edits } of edit.steps) {
      const document = this.documents.find((one) => one.uri.toString() === uri?.toString());
      if (!document) return false;
      document.edit(edits);
    }
    return true;
  }

  makeModule() {
    const { events } = this;
    const editor = this;
    return {
      ...types,
      version: '1.75.0',
      env: { openExternal: async (uri) => Boolean(this.executed.push(['openExternal', uri.toString()])) },
      commands: {
        registerCommand: (name, action) => {
          this.commands.set(name, action);
          return new types.Disposable(() => this.commands.delete(name));
        },
        executeCommand: async (name, ...args) => {
          this.executed.push([name, ...args]);
          this.happened();
          return this.commands.get(name)?.(...args);
        },
      },
      languages: this.makeLanguages(),
      window: this.makeWindow(),
      workspace: {
        get textDocuments() { return editor.documents; },
        workspaceFolders: this.folder && [{ uri: types.Uri.file(this.folder), name: 'folder', index: 0 }],
        onDidOpenTextDocument: events.open.event,
        onDidChangeTextDocument: events.change.event,
        onDidSaveTextDocument: events.save.event,
        onDidCloseTextDocument: events.close.event,
        onDidChangeConfiguration: events.configuration.event,
        getConfiguration: (section) => ({ get: (name) => this.setting(section ? `${section}.${name}` : name) }),
        applyEdit: (edit) => this.applyEdit(edit),
        createFileSystemWatcher: (...args) => this.watcher(args),
      },
    };
  }

  setting(name) {
    const declared = PACKAGE.contributes.configuration.properties[name];
    assert(declared || name in this.settings, `package.json has no setting ${name}`);
    return this.settings[name] ?? declared?.default;
  }

  makeLanguages() {
    const register = (kind) => (selector, provider, ...rest) => {
      const entry = { kind, selector, provider, rest };
      this.providers.push(entry);
      this.happened();
      return new types.Disposable(() => { this.providers = this.providers.filter((one) => one !== entry); });
    };
    const kinds = [
      'CompletionItem', 'Hover', 'SignatureHelp', 'Definition', 'Reference', 'DocumentHighlight', 'DocumentSymbol', 'CodeActions',
      'DocumentFormattingEdit', 'DocumentRangeFormattingEdit', 'Rename', 'FoldingRange', 'DocumentLink', 'DocumentSemanticTokens',
      'DocumentRangeSemanticTokens',
    ];
    return {
      ...Object.fromEntries(kinds.map((kind) => [`register${kind}Provider`, register(kind)])),
      match: ({ pattern }, document) => globPattern(pattern).test(document.uri.fsPath) ? 10 : 0,
      createDiagnosticCollection: () => ({
        set: (uri, list) => {
          const version = this.documents.find((one) => one.uri.toString() === uri.toString())?.version;
          this.diagnostics.set(uri.toString(), { version, list });
          this.happened();
        },
        delete: (uri) => { this.diagnostics.delete(uri.toString()); },
        clear: () => { this.diagnostics.clear(); },
        dispose: () => { this.diagnostics.clear(); },
      }),
    };
  }

  makeWindow() {
    const show = (level) => async (text, ...choices) => {
      this.messages.push({ level, text, choices });
      this.happened();
      return this.choose(text, choices);
    };
    return {
      showErrorMessage: show('error'),
      showWarningMessage: show('warning'),
      showInformationMessage: show('information'),
      showTextDocument: async (uri) => { this.executed.push(['showTextDocument', uri.toString()]); },
      createOutputChannel: () => ({
        appendLine: (line) => {
          this.log.push(line);
          this.happened();
        },
        show: () => {},
        dispose: () => {},
      }),
    };
  }

  watcher([pattern, ...ignored]) {
    const emitters = { create: new types.EventEmitter(), change: new types.EventEmitter(), delete: new types.EventEmitter() };
    const entry = { pattern, ignored, emitters };
    this.watchers.push(entry);
    this.happened();
    return {
      onDidCreate: emitters.create.event, onDidChange: emitters.change.event, onDidDelete: emitters.delete.event,
      dispose: () => { this.watchers = this.watchers.filter((one) => one !== entry); },
    };
  }
}

module.exports = { DEADLINE, Editor, FOLDER, PACKAGE, ...types };
